import type { ProcessorTime, Took } from './processor-time.ts'
import { HOUR_MS, type Scheduler } from './scheduler.ts'

/**
 * Simulated time between two extensions. A timeline is extended when an hour of it has passed, and it ends with its last
 * programme, some minutes later than asked for: after an hour and a quarter all timelines are due.
 */
const PASSED_MS = 1.25 * HOUR_MS

export interface Extension extends Took {
  /** Length by which the timelines grew (ms), on average. */
  grownMs: number
}

/** Lets time pass and extends the timelines of all channels in one pass. Throws if one of them was not extended. */
export async function extendAll(
  { db, clock, worker }: Scheduler,
  processor: ProcessorTime,
): Promise<Extension> {
  const ends = async () => {
    const rows = await db
      .selectFrom('channels')
      .select(['id', 'endsAtMs'])
      .where('status', '=', 'live')
      .execute()
    return new Map(rows.map(({ id, endsAtMs }) => [id, endsAtMs ?? 0]))
  }
  const before = await ends()
  clock.nowMs += PASSED_MS
  const took = await processor.of(() => worker.runOnce())
  const after = await ends()
  const grown = [...before].map(([id, endMs]) => (after.get(id) ?? 0) - endMs)
  const missed = grown.filter((ms) => ms <= 0).length
  if (missed > 0 || grown.length === 0)
    throw new Error(`${missed} of ${grown.length} timelines were not extended`)
  return { ...took, grownMs: grown.reduce((sum, ms) => sum + ms, 0) / grown.length }
}
