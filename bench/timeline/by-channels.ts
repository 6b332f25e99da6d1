import { rebuildPlainly } from './plain.ts'
import type { ProcessorTime, Took } from './processor-time.ts'
import { CAUSE, HOUR_MS, makeChannel, makeVideos, type Scheduler, startScheduler } from './scheduler.ts'

/** Cost of keeping channels on the air; shares are of one core. */
export interface Keeping {
  /** Of the process: the work of each second, and all extensions (one an hour). */
  eachSecondShare: number
  extendingShare: number
  /** Of Postgres, for both. */
  databaseShare: number
  /** Of the process and of Postgres, if each channel were rebuilt once an hour instead of extended. */
  plainShare: number
  plainDatabaseShare: number
  /** Elapsed time of the work of one second. */
  secondMs: number
  programmesEntered: number
  memoryMib: number
}

/** `count` channels of 50 videos, half of them shuffled, kept for some simulated seconds. */
export async function keepChannels(
  processor: ProcessorTime,
  count: number,
  seconds: number,
): Promise<Keeping> {
  const scheduler = await startScheduler()
  try {
    return await keep(scheduler, processor, count, seconds)
  } finally {
    await scheduler.close()
  }
}

async function keep(
  scheduler: Scheduler,
  processor: ProcessorTime,
  count: number,
  seconds: number,
): Promise<Keeping> {
  const { db, clock, keeper, streams } = scheduler
  const ids = await makeVideos(scheduler, 2000)
  const channelIds: string[] = []
  for (let channel = 0; channel < count; channel += 1) {
    clock.nowMs += 137
    const from = (channel * 37) % 1950
    const id = await makeChannel(scheduler, ids.slice(from, from + 50), channel % 2 === 0)
    await streams.start(id, CAUSE)
    channelIds.push(id)
  }
  await keeper.workNow()
  const kept = await processor.of(async () => {
    for (let second = 0; second < seconds; second += 1) {
      clock.nowMs += 1000
      await keeper.workNow()
    }
  })
  clock.nowMs += 1.01 * HOUR_MS
  const extended = await processor.of(() => keeper.workNow())
  const { entries } = await db
    .selectFrom('airLog')
    .select((select) => select.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  const memoryMib = process.memoryUsage().rss / 1_048_576
  clock.nowMs += 1.01 * HOUR_MS
  const plain = await processor.of(async () => {
    for (const id of channelIds) await rebuildPlainly(scheduler, id)
  })
  const share = (of: (took: Took) => number, hourly: Took) =>
    of(kept) / (seconds * 1000) + of(hourly) / HOUR_MS
  return {
    eachSecondShare: kept.ourMs / (seconds * 1000),
    extendingShare: extended.ourMs / HOUR_MS,
    databaseShare: share((took) => took.databaseMs, extended),
    plainShare: share((took) => took.ourMs, plain),
    plainDatabaseShare: share((took) => took.databaseMs, plain),
    secondMs: kept.wallMs / seconds,
    programmesEntered: entries,
    memoryMib,
  }
}
