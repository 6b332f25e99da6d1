import type { RelaxableRule } from '@looptide/contracts/http/schedules'

/** The rules of a schedule that may be relaxed, as admins read them. */
export const RULE_LABELS: Record<RelaxableRule, string> = {
  artistSeparationMinutes: 'Minutes between videos of an artist',
  videoSeparationHours: 'Hours between airings of a video',
  maxAiringsPerDay: 'Airings of a video per day',
  maxDurationMinutes: 'Longest video in minutes',
}
