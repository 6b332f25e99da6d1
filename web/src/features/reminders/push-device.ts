import { api } from '../../lib/clients.ts'

/** The service worker that shows pushes (web/public/push-worker.js). */
const WORKER = '/push-worker.js'

/** Whether this browser can show pushes: `ios` only once the app is on the home screen. */
export type PushSupport = 'yes' | 'denied' | 'ios' | 'no'

/** Browsers that show declarative pushes themselves have a manager without a service worker. */
const isDeclarative = (): boolean => 'pushManager' in window

/** What this browser says of pushes. Asks nothing of the user. */
export function pushSupport(): PushSupport {
  const hasPush = 'Notification' in window && 'serviceWorker' in navigator && 'PushManager' in window
  if (hasPush) return Notification.permission === 'denied' ? 'denied' : 'yes'
  return /iPhone|iPad|iPod/.test(navigator.userAgent) ? 'ios' : 'no'
}

/**
 * Lets this browser receive pushes: asks for the permission, which browsers allow only after a press. Resolves to the id of
 * the subscription; undefined if the user denies it. Throws `ApiError`, and what the browser throws.
 */
export async function subscribe(pushKey: string): Promise<string | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  await navigator.serviceWorker.register(WORKER)
  const registration = await navigator.serviceWorker.ready
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: pushKey,
  })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  const body = { endpoint, keys: { p256dh, auth }, deviceName: deviceName(), declarative: isDeclarative() }
  const { id } = await api.call('POST /api/me/push-subscriptions', { body })
  return id
}

/** Lets this browser receive no more pushes. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER)
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe()
  await registration?.unregister()
}

const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS', 'Mac'],
  ['Linux', 'Linux'],
] as const

/** A name of this browser for its owner, such as “Firefox on Android”. */
export function deviceName(userAgent: string = navigator.userAgent): string {
  const nameOf = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1]
  const [browser = 'Browser', system] = [nameOf(BROWSERS), nameOf(SYSTEMS)]
  return system === undefined ? browser : `${browser} on ${system}`
}
