import type { ScheduleRemoval } from '@looptide/contracts/http/schedules'
import { dateTimeIn } from '../model/zoned-time.ts'

/** When a publication shows on the air. */
export const effectText = ({ changesFrom }: ScheduleRemoval, timeZone: string): string =>
  changesFrom === null
    ? 'Nothing that is already planned changes.'
    : `On the air from ${dateTimeIn(timeZone, Date.parse(changesFrom))}.`
