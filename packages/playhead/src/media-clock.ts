/** A media position (ms) that a player reported at `atMs` (local monotonic time) while it played at `rate`. */
export interface Reading {
  positionMs: number
  atMs: number
  rate: number
}

/** A player's position extrapolated to the newest reading, and its maximum error. */
export interface MediaPosition {
  positionMs: number
  uncertaintyMs: number
}

/** Contains several refreshes of a player that refreshes its position four times a second. */
const WINDOW_MS = 1_500
const MIN_READINGS = 4

/**
 * Adds a reading and drops those older than `windowMs`. A new, empty list starts after each seek, stall or load.
 */
export function withReading(readings: readonly Reading[], reading: Reading, windowMs = WINDOW_MS): Reading[] {
  return [...readings.filter((known) => reading.atMs - known.atMs <= windowMs), reading]
}

/** Extrapolates the readings to a change of the playback rate at `atMs`, so that they stay usable. */
export function atNewRate(readings: readonly Reading[], atMs: number, rate: number): Reading[] {
  return readings.map((reading) => ({ positionMs: extrapolate(reading, atMs), atMs, rate }))
}

/**
 * Estimates the true position from delayed readings. A delayed reading is never ahead of the media, so each reading
 * extrapolated to now is a lower bound, and the highest is the most recent. Undefined until there are enough readings to
 * include a refresh.
 */
export function steadyPosition(readings: readonly Reading[]): MediaPosition | undefined {
  const newest = readings.at(-1)
  if (!newest || readings.length < MIN_READINGS) return undefined
  const positions = readings.map((reading) => extrapolate(reading, newest.atMs))
  const intervalMs = (newest.atMs - (readings[0]?.atMs ?? newest.atMs)) / (readings.length - 1)
  return { positionMs: Math.max(...positions), uncertaintyMs: intervalMs / 2 }
}

/** Half of the readings are usually closer together than this; fewer than MIN_READINGS cannot show it (ms). */
const USUAL_DEVIATION_MS = 3

/**
 * The position at `atMs` from exact readings with a few ms of noise: their median. The uncertainty is twice their median
 * deviation from it. Undefined without readings.
 */
export function medianPosition(readings: readonly Reading[], atMs: number): MediaPosition | undefined {
  const positions = readings.map((reading) => extrapolate(reading, atMs))
  const positionMs = median(positions)
  if (positionMs === undefined) return undefined
  const deviations = positions.map((position) => Math.abs(position - positionMs))
  const deviationMs = readings.length < MIN_READINGS ? USUAL_DEVIATION_MS : (median(deviations) ?? 0)
  return { positionMs, uncertaintyMs: 2 * deviationMs }
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

function extrapolate({ positionMs, atMs, rate }: Reading, toMs: number): number {
  return positionMs + (toMs - atMs) * rate
}
