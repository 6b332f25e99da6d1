const PATTERN =
  /^P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,7})M)?(?:(\d{1,9})(?:[.,]\d+)?S)?)?$/

/**
 * Milliseconds of an ISO 8601 duration as YouTube writes them ('PT1H2M3S', 'P1DT2S'); null for anything
 * else and for zero, which is what a live broadcast has ('P0D'). Fractions of a second are dropped.
 */
export function parseIsoDuration(text: string): number | null {
  const match = PATTERN.exec(text)
  if (match === null) return null
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0))
  const total =
    (weeks ?? 0) * 604_800 + (days ?? 0) * 86_400 + (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)
  return total === 0 ? null : total * 1000
}
