import type { QuietHours } from '@looptide/contracts/http/reminders'
import { isTimeZone, LocalDays } from '@looptide/planner/local-days'
import { errors } from '@looptide/service-kit/http/errors'

/** Throws `validation_failed` for a time zone that is none, and for hours that would never end. */
export function requireQuietHours({ from, to, timeZone }: QuietHours): void {
  if (!isTimeZone(timeZone)) throw errors.validation('This time zone is unknown.')
  if (from === to) throw errors.validation('Quiet hours must end at another time than they begin.')
}

/**
 * When quiet hours that include an instant end, in epoch ms; undefined outside of them. In local time, also on the days on
 * which the clock changes.
 */
export function quietUntil(quiet: QuietHours | null, atMs: number): number | undefined {
  if (quiet === null) return undefined
  const days = new LocalDays(quiet.timeZone)
  return days.isWithin(atMs, quiet.from, quiet.to) ? days.nextAt(atMs, quiet.to) : undefined
}
