import { createApi } from './api.ts'
import { createAuthClient } from './auth-client.ts'
import { createLazyRealtime } from './realtime.ts'
import { createServerClock } from './server-clock.ts'

const { origin } = window.location

/** The app's connections to the station, one of each. */
export const authClient = createAuthClient(origin)

const sessionGoneListeners = new Set<() => void>()
/** Calls back when the server has forgotten the session we still hold. */
export function onSessionGone(listener: () => void): () => void {
  sessionGoneListeners.add(listener)
  return () => sessionGoneListeners.delete(listener)
}

export const api = createApi({
  fetch: (...args) => fetch(...args),
  accessToken: authClient.accessToken,
  onSessionGone: () => {
    for (const listener of [...sessionGoneListeners]) listener()
  },
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
