import { api } from '../../lib/clients.ts'
import { deviceName } from './device-name.ts'

/** The service worker that shows pushes (web/public/push-worker.js). */
const WORKER = '/push-worker.js'
/** The subscription of this browser, in its storage: the server's list does not say which one it is. */
const OWN_KEY = 'push-subscription'

/** Whether this browser can show pushes: `ios` only once the app is on the home screen. */
export type PushSupport = 'yes' | 'denied' | 'ios' | 'no'

/** Browsers that show declarative pushes themselves have a manager without a service worker. */
const isDeclarative = (): boolean => 'pushManager' in window

/** The id of the subscription of this browser; null if it has none. */
export const ownSubscription = (): string | null => localStorage.getItem(OWN_KEY)

/** What this browser says of pushes. Asks nothing of the user. */
export function pushSupport(): PushSupport {
  const hasPush = 'Notification' in window && 'serviceWorker' in navigator && 'PushManager' in window
  if (hasPush) return Notification.permission === 'denied' ? 'denied' : 'yes'
  return /iPhone|iPad|iPod/.test(navigator.userAgent) ? 'ios' : 'no'
}

/**
 * Lets this browser receive pushes: asks for the permission, which browsers allow only after a press. Resolves to whether the
 * user has allowed it. Throws `ApiError`, and what the browser throws.
 */
export async function subscribe(pushKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await navigator.serviceWorker.register(WORKER)
  const registration = await navigator.serviceWorker.ready
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: pushKey,
  })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  const body = {
    endpoint,
    keys: { p256dh, auth },
    deviceName: deviceName(navigator.userAgent),
    declarative: isDeclarative(),
  }
  const { id } = await api.call('POST /api/me/push-subscriptions', { body })
  localStorage.setItem(OWN_KEY, id)
  return true
}

/** Lets this browser receive no more pushes. */
export async function unsubscribe(): Promise<void> {
  localStorage.removeItem(OWN_KEY)
  const registration = await navigator.serviceWorker.getRegistration(WORKER)
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe()
  await registration?.unregister()
}
