/** A media position as read from a player at a local instant (monotonic ms), playing on at `rate`. */
export type Reading = { positionMs: number; atMs: number; rate: number }

/** A player's position carried forward to the newest reading, and by how much it may be wrong. */
export type MediaPosition = { positionMs: number; uncertaintyMs: number }

/** Long enough to hold several refreshes of a player that renews its position four times a second. */
const WINDOW_MS = 1_500
const FULL_TRUST_AFTER = 4

/**
 * Adds a reading and forgets those older than `windowMs`. A new, empty list starts after each seek, stall or load.
 */
export function withReading(readings: readonly Reading[], reading: Reading, windowMs = WINDOW_MS): Reading[] {
  return [...readings.filter((known) => reading.atMs - known.atMs <= windowMs), reading]
}

/** The readings after the player's rate has been changed at `atMs`: what is known stays known. */
export function atNewRate(readings: readonly Reading[], atMs: number, rate: number): Reading[] {
  return readings.map((reading) => ({ positionMs: carried(reading, atMs), atMs, rate }))
}

/**
 * The true position behind readings that come late. A position that has passed a message channel tells where the
 * media was, never where it will be: every reading carried forward to now is a lower bound, and the highest of them
 * is the freshest. Undefined until there are enough to have seen a refresh.
 */
export function steadyPosition(readings: readonly Reading[]): MediaPosition | undefined {
  const newest = readings.at(-1)
  if (!newest || readings.length < FULL_TRUST_AFTER) return undefined
  const positions = readings.map((reading) => carried(reading, newest.atMs))
  const intervalMs = (newest.atMs - (readings[0]?.atMs ?? newest.atMs)) / (readings.length - 1)
  return { positionMs: Math.max(...positions), uncertaintyMs: intervalMs / 2 }
}

/** The position, at `atMs`, behind exact readings with a few ms of noise: their median. Undefined without any. */
export function medianPosition(readings: readonly Reading[], atMs: number): number | undefined {
  const positions = readings.map((reading) => carried(reading, atMs)).sort((a, b) => a - b)
  return positions[positions.length >> 1]
}

function carried({ positionMs, atMs, rate }: Reading, toMs: number): number {
  return positionMs + (toMs - atMs) * rate
}
