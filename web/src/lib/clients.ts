import { createApi } from './api/api.ts'
import { afterLoad } from './browser/after-load.ts'
import { loader } from './browser/loader.ts'
import { reachStation } from './browser/reach-station.ts'
import { createLazyRealtime } from './realtime/realtime.ts'
import { createAuthClient } from './session/auth-client.ts'
import { proofPrompt } from './session/proof-prompt.ts'
import { createServerClock } from './time/server-clock.ts'

const { origin } = window.location

const SESSION_KEY = 'looptide-session'

/** Whether a session is stored, or is in the URL, as after an emailed link of the auth protocol. */
function mayBeSignedIn(): boolean {
  const { search, hash } = window.location
  if (/[?&]code=/.test(search) || /access_token=|error=/.test(hash)) return true
  try {
    return localStorage.getItem(SESSION_KEY) !== null
  } catch {
    return false
  }
}

const loadGoTrue = loader(() => import('./session/gotrue-auth.ts'))

/** The app's clients of the station, one of each kind. */
export const authClient = createAuthClient({
  load: async (onSession) => {
    const { createGoTrueAuth } = await loadGoTrue()
    return createGoTrueAuth({ origin, storageKey: SESSION_KEY, onSession })
  },
  mayBeSignedIn,
  whenIdle: afterLoad,
  confirm: proofPrompt.open,
})

export const api = createApi({
  fetch: (...args) => fetch(...args),
  accessToken: authClient.accessToken,
  onTokenRefused: () => void authClient.check(true),
  confirm: proofPrompt.open,
  nowMs: () => Date.now(),
})

export const realtime = createLazyRealtime(
  loader(async () => {
    const { createRealtimeClient } = await import('./realtime/realtime-client.ts')
    return createRealtimeClient({
      url: `${origin.replace(/^http/, 'ws')}/realtime/v1`,
      accessToken: authClient.accessToken,
    })
  }),
)

export const serverClock = createServerClock()

let lastToken: string | undefined
authClient.onChange(() => {
  const state = authClient.state()
  const token = state.status === 'signed-in' ? state.session.access_token : undefined
  if (token === lastToken) return
  lastToken = token
  realtime.tokenChanged()
})
window.addEventListener(
  'offline',
  () => void reachStation().catch(() => navigator.onLine || realtime.disconnect()),
)
window.addEventListener('online', () => realtime.reconnectNow())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') realtime.reconnectNow()
})
