import type { AirLogEntry } from '@looptide/contracts/http/channels'
import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import { pruneAirLog, searchAirLog } from '../src/timeline/air-log-repository.ts'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

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

async function airLog(id: string, query: Record<string, string | number>) {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const { items, nextCursor } = await station.must(
    'GET',
    `/api/channels/${id}/air-log?${parameters}`,
    undefined,
    null,
  )
  return { items: items as AirLogEntry[], nextCursor: nextCursor as string | null }
}

test('pages through the air log from an instant, into the past and forward to the present', async () => {
  const id = await station.channelPlaying('Log', [video(), video(), video()])
  const startedMs = station.clock.nowMs
  await station.advance(HOUR_MS, 3 * MINUTE_MS)
  const atMs = startedMs + 31 * MINUTE_MS

  const earlier = await airLog(id, { beforeMs: atMs + 1, limit: 4 })
  expect(earlier.items[0]!.startedAtMs).toBe(startedMs + 30 * MINUTE_MS)
  const walked: number[] = []
  for (let cursor = earlier.nextCursor; cursor !== null; ) {
    const page = await airLog(id, { beforeMs: atMs + 1, limit: 4, cursor })
    walked.push(...page.items.map((entry) => entry.startedAtMs))
    cursor = page.nextCursor
  }
  expect(walked.at(-1)).toBe(startedMs)

  const later = await airLog(id, { afterMs: atMs, order: 'oldest', limit: 4 })
  expect(later.items.map((entry) => (entry.startedAtMs - startedMs) / MINUTE_MS)).toEqual([30, 33, 36, 39])
  const next = await airLog(id, { afterMs: atMs, order: 'oldest', limit: 100, cursor: later.nextCursor! })
  expect(next.items[0]!.startedAtMs).toBe(startedMs + 42 * MINUTE_MS)
  expect(next.items.at(-1)!.startedAtMs).toBe(startedMs + 60 * MINUTE_MS)
  expect(next.nextCursor).toBeNull()

  const before = await airLog(id, { afterMs: startedMs - HOUR_MS, beforeMs: startedMs, order: 'oldest' })
  expect(before.items).toEqual([])
  const all = await airLog(id, { afterMs: startedMs - HOUR_MS, order: 'oldest' })
  expect(all.items[0]!.startedAtMs).toBe(startedMs)
})

test('counts the airings of videos on all channels, for those who edit the library', async () => {
  const [often, once, never] = [video(), video(), video()]
  await station.channelPlaying('Airings', [often])
  await station.advance(9 * MINUTE_MS, 3 * MINUTE_MS)
  await station.channelPlaying('Airings too', [often, once])
  const lastMs = station.clock.nowMs
  await station.advance(MINUTE_MS, MINUTE_MS)
  const { items } = await station.must(
    'GET',
    `/api/channels/airings?ids=${[often, once, never].map(({ id }) => id)}`,
  )
  const logged = await sql<{ count: number }>`
    select count(*)::bigint as count from air_log where video_id = ${often.id}`.execute(station.db)
  expect(items).toHaveLength(1)
  expect(items).toEqual([{ videoId: often.id, airings: logged.rows[0]!.count, lastStartedAtMs: lastMs }])
  expect(items[0].airings).toBeGreaterThan(3)
})

test('returns for each entry whether the video is still in the library, and its thumbnail', async () => {
  const [kept, hidden, removed] = [
    video({ youtubeId: 'dQw4w9WgXcQ' }),
    video({ thumbnailUrl: '/a.png' }),
    video(),
  ] as const
  const id = await station.channelPlaying('Listed', [kept, hidden, removed])
  await station.advance(10 * MINUTE_MS, 3 * MINUTE_MS)
  await station.publish(
    ['catalogue.video.updated.v1', hidden.id, { video: { ...hidden, isPublic: false } }],
    ['catalogue.video.removed.v1', removed.id, { videoId: removed.id }],
  )
  const { items } = await airLog(id, { order: 'oldest', limit: 3 })
  expect(items.map(({ videoId, isListed, thumbnailUrl }) => ({ videoId, isListed, thumbnailUrl }))).toEqual([
    { videoId: kept.id, isListed: true, thumbnailUrl: 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg' },
    { videoId: hidden.id, isListed: false, thumbnailUrl: '/a.png' },
    { videoId: removed.id, isListed: false, thumbnailUrl: null },
  ])
  expect((await station.request('GET', `/api/channels/${id}/air-log?order=random`)).status).toBe(400)
})

test('finds any instant by an index, in both orders', async () => {
  const id = await station.channelPlaying('Year', [video()])
  await sql`
    insert into channels (id, name, position, seed)
    select 'other-' || n, 'Other', n + 10, 'seed' from generate_series(1, 20) n`.execute(station.db)
  await sql`
    insert into air_log (channel_id, seq, round_seq, item_id, video_id, title, artist_name, started_at_ms, ended_at_ms)
    select c.id, -n, 1, gen_random_uuid(), gen_random_uuid(), 'title', 'artist',
           n * 180000::bigint, (n + 1) * 180000::bigint
    from channels c cross join generate_series(1, 3000) n where c.id = ${id} or c.id like 'other-%'`.execute(
    station.db,
  )
  await sql`analyze air_log`.execute(station.db)
  const afterMs = 1500 * 180_000 + 5
  const common = { channelId: id, limit: 50 } as const
  const plans = await planned.plansOf(async () => {
    const forwards = await searchAirLog(planned.db, { ...common, afterMs, order: 'oldest' })
    expect(forwards.map((row) => row.startedAtMs)[0]).toBe(1500 * 180_000)
    expect(forwards).toHaveLength(51)
    await searchAirLog(planned.db, { ...common, startedAfterMs: afterMs, afterMs, order: 'oldest' })
    await searchAirLog(planned.db, { ...common, beforeMs: afterMs, order: 'newest' })
    await searchAirLog(planned.db, {
      ...common,
      afterMs: afterMs - HOUR_MS,
      beforeMs: afterMs,
      order: 'newest',
    })
  })
  expect(plans).toContain('air_log_time')
  expect(plans).not.toContain('Seq Scan on air_log')
  const prune = await planned.plansOf(() => pruneAirLog(planned.db, 0))
  expect(prune).toContain('air_log_hour')
})
