const HOUR_MS = 3_600_000

const DURATIONS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS } as const

export type EndChoice = 'never' | keyof typeof DURATIONS_MS | 'date'

export const END_CHOICES: readonly { value: EndChoice; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: 'hour', label: 'In an hour' },
  { value: 'day', label: 'In a day' },
  { value: 'week', label: 'In a week' },
  { value: 'month', label: 'In 30 days' },
  { value: 'date', label: 'On a date' },
]

/**
 * The end of a restriction: an RFC 3339 instant, null for never, undefined for a missing or past date. `until` is the
 * value of a `datetime-local` input, in the viewer's time zone.
 */
export function expiresAtOf(
  { choice, until }: { choice: EndChoice; until: string },
  nowMs: number,
): string | null | undefined {
  if (choice === 'never') return null
  const endMs = choice === 'date' ? Date.parse(until) : nowMs + DURATIONS_MS[choice]
  return endMs > nowMs ? new Date(endMs).toISOString() : undefined
}
