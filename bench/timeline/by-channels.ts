import { extendAll } from './extending.ts'
import { rebuildPlainly } from './plain.ts'
import type { ProcessorTime } from './processor-time.ts'
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
  const { db, clock, worker, streams } = scheduler
  const ids = await makeVideos(scheduler, 2000)
  const channelIds: string[] = []
  for (let channel = 0; channel < count; channel += 1) {
    clock.nowMs += 137
    const from = (channel * 37) % 1950
    const id = await makeChannel(scheduler, ids.slice(from, from + 50), channel % 2 === 0)
    await streams.start(id, CAUSE)
    channelIds.push(id)
  }
  await worker.runOnce()
  const kept = await processor.of(async () => {
    for (let second = 0; second < seconds; second += 1) {
      clock.nowMs += 1000
      await worker.runOnce()
    }
  })
  const extended = await extendAll(scheduler, processor)
  const { entries } = await db
    .selectFrom('airLog')
    .select((select) => select.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  const memoryMib = process.memoryUsage().rss / 1_048_576
  clock.nowMs += HOUR_MS
  const plain = await processor.of(async () => {
    for (const id of channelIds) await rebuildPlainly(scheduler, id)
  })
  return {
    eachSecondShare: kept.ourMs / (seconds * 1000),
    extendingShare: extended.ourMs / extended.grownMs,
    databaseShare: kept.databaseMs / (seconds * 1000) + extended.databaseMs / extended.grownMs,
    plainShare: kept.ourMs / (seconds * 1000) + plain.ourMs / HOUR_MS,
    plainDatabaseShare: kept.databaseMs / (seconds * 1000) + plain.databaseMs / HOUR_MS,
    secondMs: kept.wallMs / seconds,
    programmesEntered: entries,
    memoryMib,
  }
}
