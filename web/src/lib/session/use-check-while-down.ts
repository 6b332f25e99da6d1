import { useEffect } from 'react'
import { authClient } from '../clients.ts'
import { REJOIN_SPREAD_MS } from '../realtime/reconnect-delay.ts'
import type { TopicState } from '../realtime/shared-topic.ts'

/** Time the user's topic must be down before the session is checked over HTTP, in ms. */
const CHECK_AFTER_MS = 1_000

/**
 * Checks once, while the user's own topic is down, whether the session still exists. A session that ended while the
 * socket was disconnected is refused the topic without a reason. An outage ends no session. The checks of clients that
 * lost the same gateway are spread over 5 s.
 */
export function useCheckWhileDown(state: TopicState): void {
  useEffect(() => {
    if (state !== 'down') return
    const delayMs = CHECK_AFTER_MS + Math.random() * REJOIN_SPREAD_MS
    const timer = setTimeout(() => void authClient.check().catch(() => undefined), delayMs)
    return () => clearTimeout(timer)
  }, [state])
}
