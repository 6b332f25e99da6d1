import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { GUARD_MS } from '../timeline/rules.ts'

const MINUTE_MS = 60_000
const DEFAULT_FREEZE_MINUTES = 10

/** The time (ms) in which a publication or a change of the library changes nothing, because the guide has announced it. */
export function freezeMsOf({ freezeMinutes = DEFAULT_FREEZE_MINUTES }: ScheduleDocument): number {
  return Math.max(GUARD_MS, freezeMinutes * MINUTE_MS)
}
