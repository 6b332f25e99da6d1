import { createApi } from './api.ts'
import { createAuthClient } from './auth-client.ts'
import { createLazyRealtime } from './realtime.ts'
import { createServerClock } from './server-clock.ts'

const { origin } = window.location

/** After the page has loaded, before what comes behind the first view is fetched. */
const IDLE_DELAY_MS = 1_500
const SESSION_KEY = 'looptide-session'

/** A session is stored, or one is arriving in the address, as after a mailed link of the auth protocol. */
function mayBeSignedIn(): boolean {
  const { search, hash } = window.location
  if (/[?&]code=/.test(search) || /access_token=|error=/.test(hash)) return true
  try {
    return localStorage.getItem(SESSION_KEY) !== null
  } catch {
    return false
  }
}

/** The app's connections to the station, one of each. */
export const authClient = createAuthClient({
  open: async (onSession) => {
    const { openAuthDoor } = await import('./auth-door.ts')
    return openAuthDoor({ origin, storageKey: SESSION_KEY, onSession })
  },
  mayBeSignedIn,
  whenIdle: (callback) => {
    if (document.readyState === 'complete') setTimeout(callback, IDLE_DELAY_MS)
    else window.addEventListener('load', () => setTimeout(callback, IDLE_DELAY_MS), { once: true })
  },
})

export const api = createApi({
  fetch: (...args) => fetch(...args),
  accessToken: authClient.accessToken,
  onTokenRefused: () => void authClient.check(),
  nowMs: () => Date.now(),
})

export const realtime = createLazyRealtime(async () => {
  const { createRealtimeClient } = await import('./realtime-client.ts')
  return createRealtimeClient({
    url: `${origin.replace(/^http/, 'ws')}/realtime/v1`,
    accessToken: authClient.accessToken,
  })
})

export const serverClock = createServerClock()

let knownToken: string | undefined
authClient.onChange(() => {
  const state = authClient.state()
  const token = state.status === 'signed-in' ? state.session.access_token : undefined
  if (token === knownToken) return
  knownToken = token
  realtime.tokenChanged()
})
window.addEventListener('online', () => realtime.reconnectNow())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') realtime.reconnectNow()
})
