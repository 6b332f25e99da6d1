import { LIVE_SUBJECTS, type ViewerCounts } from '@looptide/contracts/events'
import type { AiringReport } from '@looptide/contracts/http/airings'
import { connectNats } from '@looptide/service-kit/events/nats'
import type { NatsConnection } from '@looptide/service-kit/events/nats-client'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  airingsByHour,
  airingTotals,
  mostAiredVideos,
  royaltyRows,
  uncountedAirings,
} from '../src/airings/airing-repository.ts'
import { ListenerCounter } from '../src/airings/listener-counter.ts'
import type { Database } from '../src/db/schema.ts'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

const LOGGER = createLogger('test', 'silent')
let station: TestScheduler
let planned: PlannedDb<Database>
let nats: NatsConnection
beforeAll(async () => {
  station = await TestScheduler.start()
  planned = plannedDb<Database>(station.config.databaseUrl)
  nats = await connectNats(station.config.natsUrl, 'gateway', LOGGER)
})
afterAll(async () => {
  await nats.close()
  await planned.stop()
  await station.stop()
})

const rangeText = (fromMs: number, toMs: number) => `fromMs=${fromMs}&toMs=${toMs}`

test('counts the airings that have ended by video, artist and hour', async () => {
  const [first, second, last] = [video(), video({ artistName: 'Both' }), video({ artistName: 'Both' })]
  const id = await station.channelPlaying('Counted', [first, second, last])
  const startedMs = station.clock.nowMs
  await station.advance(31 * MINUTE_MS, 3 * MINUTE_MS)

  const path = `/api/channels/${id}/airings/report`
  const report: AiringReport = await station.must(
    'GET',
    `${path}?${rangeText(startedMs, startedMs + HOUR_MS)}`,
  )
  // Ten have ended, and the eleventh is on the air.
  const songs = { airings: 10, playedMs: 30 * MINUTE_MS, listeners: null }
  expect(report.totals).toEqual({ ...songs, videos: 3, artists: 2 })
  expect(report.videos.map(({ videoId, airings }) => [videoId, airings])).toEqual([
    [first.id, 4],
    ...[second.id, last.id].toSorted().map((videoId) => [videoId, 3]),
  ])
  expect(report.videos[0]).toMatchObject({ title: first.title, intervalMs: 9 * MINUTE_MS })
  expect(report.artists.map(({ artistName, airings, videos }) => [artistName, airings, videos])).toEqual([
    ['Both', 6, 2],
    [first.artistName, 4, 1],
  ])
  expect(report.hours.reduce((sum, { airings }) => sum + airings, 0)).toBe(10)
  expect(report.hours.every(({ atMs }) => atMs % HOUR_MS === 0)).toBe(true)

  const part: AiringReport = await station.must(
    'GET',
    `${path}?${rangeText(startedMs + 3 * MINUTE_MS, startedMs + 9 * MINUTE_MS)}`,
  )
  expect(part.totals).toMatchObject({ airings: 2, videos: 2 })
  expect(part.videos[0]).toMatchObject({ airings: 1, intervalMs: null })
  const none: AiringReport = await station.must('GET', `${path}?${rangeText(0, 1)}`)
  expect(none).toEqual({
    totals: { airings: 0, playedMs: 0, listeners: null, videos: 0, artists: 0 },
    ...{ videos: [], artists: [], hours: [] },
  })
})

test('exports every airing of a range as CSV, in order, and refuses ranges that are too long or end before they begin', async () => {
  const clips = [video({ title: '=cmd()', artistName: 'A "quoted", one' }), video()]
  const id = await station.channelPlaying('Exported', clips)
  const startedMs = station.clock.nowMs
  await station.advance(10 * MINUTE_MS, 3 * MINUTE_MS)
  const path = `/api/channels/${id}/airings/royalties.csv`
  const response = await fetch(
    `${station.first.url}${path}?${rangeText(startedMs, startedMs + HOUR_MS)}`,
    station.admin,
  )
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="airings-${id}.csv"`)
  const [header, ...lines] = (await response.text()).trimEnd().split('\r\n')
  expect(header).toBe('"started_at","title","artist","isrc","duration_s","average_listeners"')
  expect(lines).toHaveLength(3)
  expect(lines.filter((line) => line.includes('"\'=cmd()","A ""quoted"", one",,"180",'))).not.toEqual([])
  const instants = lines.map((line) => Date.parse(line.slice(1, 25)))
  expect(instants).toEqual([0, 3, 6].map((minutes) => startedMs + minutes * MINUTE_MS))

  for (const [fromMs, toMs] of [
    [5, 5],
    [6, 5],
    [0, 94 * 24 * HOUR_MS],
  ] as const)
    expect((await station.request('GET', `${path}?${rangeText(fromMs, toMs)}`)).status).toBe(400)
  expect((await station.request('GET', path)).status).toBe(400)
  const elsewhere = `/api/channels/nowhere/airings/report?${rangeText(0, 1)}`
  expect((await station.request('GET', elsewhere)).status).toBe(404)
  expect((await station.request('GET', elsewhere, undefined, station.user)).status).toBe(403)
})

test('enters the average number of viewers of a programme once it has ended, whichever replica counts', async () => {
  const id = await station.channelPlaying('Watched', [video(), video()])
  const startedMs = station.clock.nowMs
  // They count only when the test says so.
  const parts = { db: station.db, nats, logger: LOGGER, now: station.clock.now, intervalMs: HOUR_MS }
  const [counter, late] = [new ListenerCounter(parts), new ListenerCounter(parts)]
  counter.start()
  late.start()
  const report = async (gatewayId: string, counts: Record<string, number>) => {
    const message: ViewerCounts = { gatewayId, counts }
    nats.publish(LIVE_SUBJECTS.viewers(gatewayId), JSON.stringify(message))
    await nats.flush()
  }
  const entered = () =>
    station.db.selectFrom('airLog').select(['startedAtMs', 'listeners']).where('channelId', '=', id)
  const numbers = async () => (await entered().orderBy('startedAtMs').execute()).map((row) => row.listeners)

  nats.publish(LIVE_SUBJECTS.viewers('broken'), 'no report')
  for (const viewers of [10, 20, 40]) {
    await report('one', { [id]: viewers })
    await report('two', { [id]: 1, elsewhere: 500 })
    await counter.run()
    await station.advance(MINUTE_MS)
  }
  // The second gateway has ended.
  await report('one', { [id]: 40 })
  await counter.run()
  expect(await numbers()).toEqual([24, null])
  // It has not counted: the number of the other stays.
  await late.run()
  await station.advance(3 * MINUTE_MS)
  await Promise.all([counter.run(), late.run()])
  expect(await numbers()).toEqual([24, 40, null])
  await counter.stop()
  await late.stop()

  const { totals }: AiringReport = await station.must(
    'GET',
    `/api/channels/${id}/airings/report?${rangeText(startedMs, startedMs + HOUR_MS)}`,
  )
  expect(totals).toMatchObject({ airings: 2, listeners: 32 })
})

test('reads only the range of its channel, by an index', async () => {
  const id = await station.channelPlaying('Indexed', [video()])
  await sql`
    insert into air_log (channel_id, seq, round_seq, item_id, video_id, title, artist_name, started_at_ms, ended_at_ms)
    select c.id, -n, 1, gen_random_uuid(), gen_random_uuid(), 'title', 'artist',
           n * 180000::bigint, (n + 1) * 180000::bigint
    from channels c cross join generate_series(1, 8000) n`.execute(station.db)
  await sql`analyze air_log`.execute(station.db)
  const range = { channelId: id, fromMs: 0, toMs: 100 * 180_000, endedByMs: station.clock.nowMs }
  const plans = await planned.plansOf(async () => {
    await airingTotals(planned.db, range)
    await mostAiredVideos(planned.db, range, 100)
    await airingsByHour(planned.db, range)
    await royaltyRows(planned.db, range, 1000)
    await uncountedAirings(planned.db, station.clock.nowMs)
  })
  expect(plans).toContain('air_log_time')
  expect(plans).not.toContain('Seq Scan on air_log')
})
