/** Milliseconds by unit of Go's `time.ParseDuration`, in which GoTrue reads a ban's duration. */
const UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g
/** Longest duration that Go represents, about 292 years. */
const MAX_MS = 2 ** 63 / 1e6

/**
 * Reads the duration of a ban, such as `2h45m`, in ms. `none` and durations of zero are 0, which lifts a ban. Undefined
 * for any other text.
 */
export function readBanDuration(text: string): number | undefined {
  if (text === 'none' || text === '0') return 0
  const parts = [...text.matchAll(PART)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined
  const ms = parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS_MS[unit] ?? 0), 0)
  return ms <= MAX_MS ? ms : undefined
}
