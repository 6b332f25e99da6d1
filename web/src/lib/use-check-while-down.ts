import { useEffect } from 'react'
import { authClient } from './clients.ts'
import type { TopicState } from './realtime-client.ts'
import { REJOIN_SPREAD_MS } from './reconnect-delay.ts'

/** Shortest time for which the person's topic is down before the session is checked over HTTP (ms). */
const CHECK_AFTER_MS = 1_000

/**
 * Checks once, while the person's own topic is down, whether the session still exists: a session that ended while the
 * socket was away is refused the topic, and no message tells why. An outage ends no session. The checks of viewers who
 * lost their gateway together are spread over 5 s.
 */
export function useCheckWhileDown(state: TopicState): void {
  useEffect(() => {
    if (state !== 'down') return
    const delayMs = CHECK_AFTER_MS + Math.random() * REJOIN_SPREAD_MS
    const timer = setTimeout(() => void authClient.check().catch(() => undefined), delayMs)
    return () => clearTimeout(timer)
  }, [state])
}
