const MINUTE_MS = 60_000

/** An instant (epoch ms) as the value of a `datetime-local` input, in the viewer's time zone; empty if it is invalid. */
export function localInputValue(epochMs: number): string {
  if (Number.isNaN(epochMs)) return ''
  const offsetMs = new Date(epochMs).getTimezoneOffset() * MINUTE_MS
  return new Date(epochMs - offsetMs).toISOString().slice(0, 16)
}
