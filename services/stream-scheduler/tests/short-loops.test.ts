import type { ShortLoops } from '@looptide/contracts/http/loops'
import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findShortLoops } from '../src/channels/short-loop-repository.ts'
import type { Database } from '../src/db/schema.ts'
import { MINUTE_MS, TestScheduler, video } from './_harness.ts'

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

const songs = (count: number) => Array.from({ length: count }, () => video({ durationMs: 6 * MINUTE_MS }))
const loop = (videosCount: number, source: 'playlist' | 'library' = 'playlist') => ({
  source,
  videosCount,
  durationMs: videosCount * 6 * MINUTE_MS,
})
const short = async (withoutVideoIds?: string[]): Promise<ShortLoops['items']> =>
  (withoutVideoIds
    ? await station.must('POST', '/api/channels/short-loops', { withoutVideoIds })
    : await station.must('GET', '/api/channels/short-loops')
  ).items

test('channels whose loop is shorter than an hour are listed, now and after a deletion', async () => {
  const [a, b] = [songs(11), songs(9)]
  await station.addVideos([...a, ...b])
  const create = async (name: string, ids: string[]): Promise<string> => {
    const { id } = await station.must('POST', '/api/channels', { name })
    if (ids.length > 0) await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: ids })
    return id
  }
  const ids = [a, b].map((list) => list.map(({ id }) => id))
  const [idsA = [], idsB = []] = ids
  await create('Long', idsA)
  const shortId = await create('Short', idsB)
  await create('Empty', [])
  const off = await create('Off', idsB)
  await station.must('PATCH', `/api/channels/${off}`, { isActive: false })

  expect(await short()).toEqual([{ channelId: shortId, name: 'Short', loop: loop(9) }])
  expect(await short(idsA.slice(0, 1))).toEqual([])
  expect(await short(idsA.slice(0, 2))).toMatchObject([{ name: 'Long', loop: loop(9) }])
  expect(await short(idsB)).toMatchObject([{ name: 'Short', loop: loop(0) }])
  // A channel with a schedule does not repeat its playlist, but may play its videos.
  const setSchedule = (scheduleVersion: number) =>
    station.db.updateTable('channels').set({ scheduleVersion }).where('id', '=', shortId).execute()
  await setSchedule(1)
  expect(await short()).toEqual([])
  expect(await short(idsB)).toMatchObject([{ name: 'Short', loop: loop(0) }])
  await setSchedule(0)
  // The default channel plays the library, with three videos left.
  const most = [...idsA, ...idsB.slice(0, 6)]
  expect(
    new Set((await short(most)).map(({ name, loop: left }) => `${name} ${left.source} ${left.videosCount}`)),
  ).toEqual(new Set(['Long playlist 0', 'Short playlist 3', 'Looptide TV library 3']))
})

test('a live playlist is listed only for the deletion of one of its own videos', async () => {
  const live = songs(4)
  await station.addVideos(live)
  await station.must('POST', '/api/live-playlist', { videoIds: live.map(({ id }) => id) })
  const other = video()
  await station.addVideos([other])
  expect(await short([other.id])).toEqual([])
  expect(await short([live[0]?.id ?? ''])).toMatchObject([{ channelId: 'default', loop: loop(3) }])
  await station.must('DELETE', '/api/live-playlist')
})

test('loops are summed without sequential scans', async () => {
  await sql`insert into videos (id, title, artist_name, duration_ms, duration_assumed, video_url, is_public,
      metadata_status, created_at)
    select gen_random_uuid(), 'Song', 'Somebody', 1000, false, 'https://m.example/' || n || '.mp4', true, 'resolved', now()
    from generate_series(1, 30000) n`.execute(station.db)
  await sql`insert into channels (id, name, position, seed) select 'c' || n, 'C', n, 's' from generate_series(10, 40) n`.execute(
    station.db,
  )
  await sql`insert into channel_playlists (id, channel_id, video_id, position)
    select gen_random_uuid(), 'c' || 10 + (row_number() over ()) % 31, id, 1 from videos`.execute(station.db)
  await sql`analyze`.execute(station.db)
  const { rows } = await sql<{ id: string }>`select id from videos limit 3`.execute(station.db)
  const plan = await planned.plansOf(async () => {
    await findShortLoops(planned.db, MINUTE_MS)
    await findShortLoops(
      planned.db,
      MINUTE_MS,
      rows.map(({ id }) => id),
    )
  })
  expect(plan).not.toMatch(/Seq Scan on (videos|channel_playlists)\b/)
})
