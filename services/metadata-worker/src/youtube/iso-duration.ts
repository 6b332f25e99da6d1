const PATTERN =
  /^P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,7})M)?(?:(\d{1,9})(?:[.,]\d+)?S)?)?$/

/**
 * Parses an ISO 8601 duration as in YouTube's API ('PT1H2M3S', 'P1DT2S') into ms. Returns null for any other text and for
 * zero, the duration of a live broadcast ('P0D'). Fractions of a second are dropped. Not `tinyduration`, which accepts
 * signs, months and years.
 */
export function parseIsoDuration(text: string): number | null {
  const match = PATTERN.exec(text)
  if (match === null) return null
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0))
  const total =
    (weeks ?? 0) * 604_800 + (days ?? 0) * 86_400 + (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)
  return total === 0 ? null : total * 1000
}
