import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { hasRequestSlot } from '@looptide/planner/segment-sources'
import { GUARD_MS } from '../timeline/rules.ts'

const MINUTE_MS = 60_000
const DEFAULT_FREEZE_MINUTES = 10
/** The guide says this long before (ms) when a request will be aired, and audience knows it before the request starts. */
const LEAST_REQUEST_FREEZE_MS = 5 * MINUTE_MS

/** The time (ms) in which a publication or a change of the library changes nothing, because the guide has announced it. */
export function freezeMsOf(document: ScheduleDocument): number {
  const leastMs = hasRequestSlot(document) ? LEAST_REQUEST_FREEZE_MS : GUARD_MS
  return Math.max(leastMs, (document.freezeMinutes ?? DEFAULT_FREEZE_MINUTES) * MINUTE_MS)
}
