import { exampleSchedule } from '@looptide/planner/testing/example-schedule'
import { sql } from 'kysely'
import { insertVersion } from '../../services/stream-scheduler/src/schedule/schedule-repository.ts'
import { updateChannel } from '../../services/stream-scheduler/src/timeline/timeline-repository.ts'
import { type Extension, extendAll } from '../timeline/extending.ts'
import type { ProcessorTime } from '../timeline/processor-time.ts'
import { CAUSE, makeChannel, makeVideos, type Scheduler, startScheduler } from '../timeline/scheduler.ts'

/** Videos in each channel's playlist. */
const PLAYLIST_LENGTH = 50

interface Extensions {
  unchanged: Extension
  /** After a video was added to the library: schedules are planned again. Loops are not. */
  changed: Extension
}

/**
 * The cost of extending `count` channels, with air log, state and library read from Postgres and written there: all with
 * the example schedule, or all as loops.
 */
export async function extendChannels(
  processor: ProcessorTime,
  count: number,
  videos: number,
  kind: 'schedule' | 'loop',
): Promise<Extensions> {
  const scheduler = await startScheduler()
  try {
    await makeChannels(scheduler, count, videos, kind)
    await scheduler.worker.runOnce()
    // The first extension stores the state from which the second one continues.
    await extendAll(scheduler, processor)
    const unchanged = await extendAll(scheduler, processor)
    await makeVideos(scheduler, 1)
    return { unchanged, changed: await extendAll(scheduler, processor) }
  } finally {
    await scheduler.close()
  }
}

async function makeChannels(
  scheduler: Scheduler,
  count: number,
  videos: number,
  kind: 'schedule' | 'loop',
): Promise<void> {
  const { db, streams } = scheduler
  const ids = await makeVideos(scheduler, videos)
  await sql`
    update videos set category = (array['Must Watch', 'Classics'])[1 + abs(hashtext(title)) % 2],
                      genre = (array['Pop', 'Rock', 'Jazz', 'Soul', 'Electronic'])[1 + abs(hashtext(id::text)) % 5]`.execute(
    db,
  )
  for (let channel = 0; channel < count; channel += 1) {
    const from = (channel * 37) % Math.max(1, videos - PLAYLIST_LENGTH)
    const channelId = await makeChannel(scheduler, ids.slice(from, from + PLAYLIST_LENGTH), channel % 2 === 0)
    if (kind === 'schedule') {
      await db.transaction().execute(async (trx) => {
        const document = exampleSchedule('America/Los_Angeles')
        const version = { channelId, document, publishedBy: null, restoredFrom: null }
        await updateChannel(trx, channelId, { scheduleVersion: await insertVersion(trx, version) })
      })
    }
    await streams.start(channelId, CAUSE)
  }
}
