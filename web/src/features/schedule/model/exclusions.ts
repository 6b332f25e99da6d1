import type { Exclusion, ScheduleDocument } from '@looptide/contracts/schedule'
import { weekdayOfDate } from './specials.ts'
import { dayIndex } from './times.ts'
import { addDays } from './zoned-time.ts'

/** A document with an exclusion; it replaces an earlier one of the same video. */
export const withExclusion = (document: ScheduleDocument, exclusion: Exclusion): ScheduleDocument => ({
  ...document,
  exclusions: [
    ...(document.exclusions ?? []).filter(({ videoId }) => videoId !== exclusion.videoId),
    exclusion,
  ],
})

/** The Monday after a date: the first date that is not of its week. */
export function nextMonday(date: string): string {
  const day = weekdayOfDate(date)
  return day === undefined ? date : addDays(date, 7 - dayIndex(day))
}
