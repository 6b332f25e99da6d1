/** A media position as read from a player, and when (local monotonic ms). */
export type Reading = { positionMs: number; atMs: number; rate: number }

/** A player's position carried forward to the newest reading, and by how much it may be wrong. */
export type MediaPosition = { positionMs: number; uncertaintyMs: number }

/** Long enough to hold several refreshes of a player that renews its position four times a second. */
const WINDOW_MS = 1_500
const FULL_TRUST_AFTER = 4

/** Adds a reading and forgets those too old to help. A new, empty list starts after each seek, stall or load. */
export function withReading(readings: readonly Reading[], reading: Reading): Reading[] {
  return [...readings.filter((known) => reading.atMs - known.atMs <= WINDOW_MS), reading]
}

/**
 * The true position behind coarse readings. A player behind a message channel reports late, never early: every
 * reading carried forward to now is a lower bound, and the highest of them is the freshest.
 * Undefined until there are enough readings to have seen a refresh.
 */
export function steadyPosition(readings: readonly Reading[]): MediaPosition | undefined {
  const newest = readings.at(-1)
  if (!newest || readings.length < FULL_TRUST_AFTER) return undefined
  const carried = readings.map((reading) => {
    const elapsedMs = newest.atMs - reading.atMs
    return reading.positionMs + elapsedMs * reading.rate
  })
  const intervalMs = (newest.atMs - (readings[0]?.atMs ?? newest.atMs)) / (readings.length - 1)
  return { positionMs: Math.max(...carried), uncertaintyMs: intervalMs / 2 }
}
