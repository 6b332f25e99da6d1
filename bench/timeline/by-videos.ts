import { readOrder } from '../../services/stream-scheduler/src/playlists/playlist-repository.ts'
import { lockChannel } from '../../services/stream-scheduler/src/timeline/timeline-repository.ts'
import { rebuildPlainly } from './plain.ts'
import type { ProcessorTime } from './processor-time.ts'
import { CAUSE, HOUR_MS, makeChannel, makeVideos, type Scheduler, startScheduler } from './scheduler.ts'

const RUNS = 7

/** Cost of an operation on a channel: elapsed ms, and processor ms of our process and Postgres together. */
export interface Cost {
  wallMs: number
  cpuMs: number
}

export const PLAIN = 'plain: read and write everything'

/** All operations on a channel of `count` videos by name, and {@link PLAIN}. */
export async function costsByVideos(
  processor: ProcessorTime,
  count: number,
  shuffled: boolean,
): Promise<Record<string, Cost>> {
  const scheduler = await startScheduler()
  try {
    return await costsOf(scheduler, processor, count, shuffled)
  } finally {
    await scheduler.close()
  }
}

async function costsOf(
  scheduler: Scheduler,
  processor: ProcessorTime,
  count: number,
  shuffled: boolean,
): Promise<Record<string, Cost>> {
  const { db, clock, timelines, writer, playlists, streams } = scheduler
  const ids = await makeVideos(scheduler, count)
  const id = await makeChannel(scheduler, ids.slice(0, -20), shuffled)
  const order = async () => (await readOrder(db, id)).map((item) => item.id)
  const replan = async (trx: Parameters<typeof lockChannel>[0]) => {
    const channel = await lockChannel(trx, id)
    if (channel !== undefined) await writer.replan(trx, channel, clock.nowMs, 'edit', CAUSE)
  }
  const extend = async () => {
    await db.transaction().execute(async (trx) => {
      const channel = await lockChannel(trx, id)
      if (channel !== undefined) await writer.extend(trx, channel, clock.nowMs)
    })
    await timelines.refresh([id])
  }
  const hourLater = async () => {
    clock.nowMs += 1.5 * HOUR_MS
  }
  const forgotten = async () => {
    await hourLater()
    await db
      .updateTable('channels')
      .set((c) => ({ loopVersion: c('loopVersion', '+', 1) }))
      .execute()
  }
  const stopped = () => streams.stop(id, CAUSE)
  const item = (round: number) => ids.slice(count - 20 + round).slice(0, 1)
  const best = <T>(run: (prepared: T, round: number) => Promise<unknown>, prepare?: () => Promise<T>) =>
    leastOf(processor, run, prepare)
  return {
    'start (build 38 hours)': await best(() => streams.start(id, CAUSE), stopped),
    'extend by an hour, first time': await best(extend, forgotten),
    'extend by an hour, cached': await best(extend, hourLater),
    'edit: add a video': await best((_, round) => playlists.add(id, item(round), CAUSE)),
    'edit: move the last to the front': await best(
      (items) => playlists.order(id, [...items.slice(-1), ...items.slice(0, -1)], CAUSE),
      order,
    ),
    'edit: reverse the order': await best((items) => playlists.order(id, items.reverse(), CAUSE), order),
    'edit: remove a coming one': await best(
      (items, round) => playlists.remove(id, items[round] ?? '', CAUSE),
      order,
    ),
    'rebuild, nothing new': await best(() => db.transaction().execute(replan)),
    'restart (rebuild all)': await best(() => streams.start(id, CAUSE)),
    [PLAIN]: await best(() => rebuildPlainly(scheduler, id)),
  }
}

/** The fastest of some runs, and the one with the least processor time. `prepare` is not counted. */
async function leastOf<T>(
  processor: ProcessorTime,
  run: (prepared: T, round: number) => Promise<unknown>,
  prepare?: () => Promise<T>,
): Promise<Cost> {
  const least = { wallMs: Number.POSITIVE_INFINITY, cpuMs: Number.POSITIVE_INFINITY }
  for (let round = 0; round < RUNS; round += 1) {
    const prepared = (await prepare?.()) as T
    const { wallMs, ourMs, databaseMs } = await processor.of(() => run(prepared, round))
    least.wallMs = Math.min(least.wallMs, wallMs)
    least.cpuMs = Math.min(least.cpuMs, ourMs + databaseMs)
  }
  return least
}
