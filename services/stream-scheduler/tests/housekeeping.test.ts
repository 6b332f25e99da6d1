import { BATCH_ROWS } from '@looptide/service-kit/db/batches'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { watchDeletes } from '@looptide/testkit/watch-deletes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import { Housekeeping } from '../src/housekeeping.ts'
import { pruneRemovedItems, pruneRemovedVideos } from '../src/library/video-repository.ts'
import { pruneChanges } from '../src/timeline/change-repository.ts'
import { TestScheduler, video } from './_harness.ts'

const MANY = 2 * BATCH_ROWS + 1
/** Rows that are kept: enough that the planner never prefers a sequential scan. */
const KEPT = 20_000

let station: TestScheduler
let planned: PlannedDb<Database>
beforeAll(async () => {
  station = await TestScheduler.start()
  planned = plannedDb<Database>(station.config.databaseUrl)
})
afterAll(async () => {
  await planned.stop()
  await station.stop()
})

const countOf = async (table: 'timelineChanges' | 'videos'): Promise<number> =>
  (await station.db.selectFrom(table).selectAll().execute()).length

test('old changes and removed videos are deleted in bounded statements, each found by an index', async () => {
  const id = await station.channelPlaying('Old', [video(), video()])
  await sql`insert into timeline_changes (channel_id, version, kind, next_seq, changed_at)
    select ${id}, -n, 'edit', 1, case when n <= ${MANY} then now() - interval '31 days' else now() end
    from generate_series(1, ${MANY + KEPT}::integer) n`.execute(station.db)
  await sql`insert into videos (id, title, artist_name, duration_ms, duration_assumed, video_url, is_public,
      metadata_status, created_at, removed_at)
    select gen_random_uuid(), 'Song', 'Somebody', 1000, false, 'https://m.example/' || n, true, 'unavailable', now(),
      case when n <= ${MANY} then now() - interval '9 days' end
    from generate_series(1, ${MANY + KEPT}::integer) n`.execute(station.db)
  await sql`insert into removed_playlist_items (id, channel_id, video_id, position, created_at, removed_at)
    select gen_random_uuid(), ${id}, gen_random_uuid(), n, now(),
      case when n <= ${MANY} then now() - interval '32 days' else now() end
    from generate_series(1, ${MANY + KEPT}::integer) n`.execute(station.db)
  await sql`analyze`.execute(station.db)
  const plans = await planned.plansOf(async () => {
    const stop = new Error('rolled back')
    const tryOut = planned.db.transaction().execute(async (trx) => {
      await pruneChanges(trx)
      await pruneRemovedVideos(trx)
      await pruneRemovedItems(trx)
      throw stop
    })
    await expect(tryOut).rejects.toBe(stop)
  })
  expect(plans).toContain('timeline_changes_by_time')
  expect(plans).toContain('videos_removed')

  const [before, mostChanges, mostVideos] = [
    { changes: await countOf('timelineChanges'), videos: await countOf('videos') },
    await watchDeletes(station.db, 'timeline_changes'),
    await watchDeletes(station.db, 'videos'),
  ]
  const logger = createLogger('test', 'silent')
  await new Housekeeping({ db: station.db, logger, now: Date.now, airLogDays: 90 }).run()
  expect(await countOf('timelineChanges')).toBe(before.changes - MANY)
  expect(await countOf('videos')).toBe(before.videos - MANY)
  expect([await mostChanges(), await mostVideos()]).toEqual([BATCH_ROWS, BATCH_ROWS])
})
