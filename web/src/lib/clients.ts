import { createApi } from './api/api.ts'
import { takeEarly } from './api/early-answers.ts'
import { afterLoad, soonAfterLoad } from './browser/after-load.ts'
import { loader } from './browser/loader.ts'
import { reachStation } from './browser/reach-station.ts'
import { createLazyRealtime } from './realtime/realtime.ts'
import { createAuthClient } from './session/auth-client.ts'
import { proofPrompt } from './session/proof-prompt.ts'
import { mayBeSignedIn, SESSION_KEY, storedSession } from './session/stored-session.ts'
import { createServerClock } from './time/server-clock.ts'

const { origin } = window.location

const loadGoTrue = loader(() => import('./session/gotrue-auth.ts'))

/** The app's clients of the station, one of each kind. */
export const authClient = createAuthClient({
  load: async (onSession) => {
    const { createGoTrueAuth } = await loadGoTrue()
    return createGoTrueAuth({ origin, storageKey: SESSION_KEY, onSession })
  },
  mayBeSignedIn,
  storedSession,
  whenIdle: afterLoad,
  confirm: proofPrompt.open,
})

/** A response that the start script has requested, if there is one: it sends no token. */
function fetchOrTakeEarly(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const isShared = init?.method === 'GET' && !new Headers(init.headers).has('authorization')
  return (isShared ? takeEarly(String(url)) : undefined) ?? fetch(url, init)
}

export const api = createApi({
  fetch: (...args) => fetchOrTakeEarly(...args),
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
  soonAfterLoad,
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
