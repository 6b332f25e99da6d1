import { Temporal } from 'temporal-polyfill'

/**
 * One IANA time zone of each group whose clocks agree from `fromMs` to `toMs` (epoch ms): 400 names, but far fewer ways to
 * change the clock.
 */
export function distinctZones(fromMs: number, toMs: number): string[] {
  const first = new Map<string, string>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const key = offsetsOf(zone, fromMs, toMs)
    if (!first.has(key)) first.set(key, zone)
  }
  return [...first.values()]
}

/** The offset at the start, and each later change with its instant. */
function offsetsOf(zone: string, fromMs: number, toMs: number): string {
  let at = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(zone)
  const changes = [at.offset]
  for (;;) {
    const next = at.getTimeZoneTransition('next')
    if (next === null || next.epochMilliseconds >= toMs) return changes.join(' ')
    changes.push(`${next.epochMilliseconds} ${next.offset}`)
    at = next
  }
}
