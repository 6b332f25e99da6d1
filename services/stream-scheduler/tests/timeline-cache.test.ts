import { newId } from '@looptide/service-kit/db/ids'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertChannel } from '../src/channels/channel-repository.ts'
import { LibraryCache } from '../src/schedule/library-cache.ts'
import { ScheduleReader } from '../src/schedule/schedule-reader.ts'
import { TimelineCache } from '../src/timeline/timeline-cache.ts'
import { createSchedulerDatabase, MINUTE_MS } from './_harness.ts'

let database: Awaited<ReturnType<typeof createSchedulerDatabase>>
beforeAll(async () => {
  database = await createSchedulerDatabase()
})
afterAll(() => database.drop())

test('settled() waits for the refresh in progress, but not longer than the given time', async () => {
  const schedules = new ScheduleReader(new LibraryCache(Date.now), {
    fallbackMaxMs: 15 * MINUTE_MS,
    requests: 'off',
  })
  const timelines = new TimelineCache(database.db, Date.now, schedules)
  await database.db.transaction().execute(async (trx) => {
    await sql`lock table channels in access exclusive mode`.execute(trx)
    void timelines.refresh()
    await timelines.settled(20)
    expect(timelines.list()).toEqual([])
    await insertChannel(trx, {
      id: 'night',
      name: 'Night',
      description: null,
      position: 1,
      seed: newId(),
      createdBy: null,
    })
  })
  await timelines.settled(60_000)
  expect(timelines.list().map(({ row }) => row.id)).toEqual(['night'])
})
