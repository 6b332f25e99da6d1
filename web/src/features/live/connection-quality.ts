import type { TopicState } from '../../lib/realtime/shared-topic.ts'

/** Round trips to the server above which a connection is called fair, or poor, in ms. */
const FAIR_MS = 200
const POOR_MS = 600

/**
 * How good the viewer's connection is, in one word. `roundTripMs` is undefined before the first measurement; a picture that
 * waits for data says more than the round trip.
 */
export function connectionQuality(facts: {
  connection: TopicState
  roundTripMs: number | undefined
  isBuffering: boolean
}): 'Connecting' | 'Reconnecting' | 'Measuring' | 'Good' | 'Fair' | 'Poor' {
  const { connection, roundTripMs, isBuffering } = facts
  if (connection !== 'joined') return connection === 'joining' ? 'Connecting' : 'Reconnecting'
  if (isBuffering) return 'Poor'
  if (roundTripMs === undefined) return 'Measuring'
  if (roundTripMs > POOR_MS) return 'Poor'
  return roundTripMs > FAIR_MS ? 'Fair' : 'Good'
}

/** The name of the control that opens the measurements. */
export const syncText = (connection: TopicState): string =>
  connection === 'joined' ? 'Sync: connected' : 'Sync: not connected'
