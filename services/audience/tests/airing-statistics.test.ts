import { randomUUID } from 'node:crypto'
import { LIVE_SUBJECTS } from '@looptide/contracts/events'
import type { StatisticsUnit } from '@looptide/contracts/http/airing-statistics'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AiringCounter } from '../src/features/airings/airing-counter.ts'
import { type AudienceHarness, refusalOf, request, startAudienceHarness, type Viewer } from './_harness.ts'

const HOUR_MS = 3_600_000
/** Midnight in Kathmandu, which is no full hour of UTC. */
const MIDNIGHT_MS = Date.parse('2026-11-20T18:15:00Z')
const ZONE = 'Asia/Kathmandu'

let harness: AudienceHarness
let staff: Viewer
beforeAll(async () => {
  harness = await startAudienceHarness()
  staff = await harness.join({ role: 'programmer' })
})
afterAll(() => harness.stop())

interface Airing {
  seq: number
  startsAtMs: number
  start: number | null
  end: number | null
  joins: number
  leaves: number
  likes: number
}

/** Stores airings of three minutes that are counted. */
async function store(channelId: string, airings: readonly Airing[]): Promise<void> {
  await sql`delete from airings where channel_id = ${channelId}`.execute(harness.db)
  await sql`insert into airings (channel_id, seq, airing_id, video_id, starts_at, ends_at, title, artist_name, viewers_at_start,
      viewers_at_end, joins, leaves, likes, messages, reaction_count, requests, is_counted)
    select ${channelId}, seq, '', gen_random_uuid(), to_timestamp("startsAtMs" / 1000.0),
      to_timestamp("startsAtMs" / 1000.0) + interval '3 minutes', '=Title ' || seq, 'Artist', start, "end", joins, leaves, likes,
      seq, seq * 2, seq * 3, true
    from jsonb_to_recordset(${JSON.stringify(airings)}::jsonb) as a(
      seq integer, "startsAtMs" bigint, start integer, "end" integer, joins integer, leaves integer, likes integer)`.execute(
    harness.db,
  )
}

const statistics = (id: string, query: object = {}) =>
  staff.client.call('GET /api/channels/:id/airings/statistics', {
    params: { id },
    query: { fromMs: MIDNIGHT_MS - 48 * HOUR_MS, toMs: MIDNIGHT_MS + 48 * HOUR_MS, timeZone: ZONE, ...query },
  })

const AIRINGS: Airing[] = [
  { seq: 1, startsAtMs: MIDNIGHT_MS - HOUR_MS, start: 10, end: 8, joins: 2, leaves: 4, likes: 1 },
  { seq: 2, startsAtMs: MIDNIGHT_MS, start: 8, end: 4, joins: 2, leaves: 6, likes: 0 },
  { seq: 3, startsAtMs: MIDNIGHT_MS + 240_000, start: 1, end: 0, joins: 0, leaves: 1, likes: 5 },
]

it('sums airings up by local day, with the first and last viewers, and names the most liked and most left', async () => {
  await store('days', AIRINGS)
  const { items, totals } = await statistics('days', { by: 'day', order: 'ascending' })
  const named = (seq: number) => ({
    startedAtMs: AIRINGS[seq - 1]?.startsAtMs,
    title: `=Title ${seq}`,
    artistName: 'Artist',
  })
  expect(items).toMatchObject([
    { startedAtMs: MIDNIGHT_MS - 24 * HOUR_MS, airings: 1, leaves: 4, mostLiked: named(1), airing: null },
    {
      ...{ startedAtMs: MIDNIGHT_MS, endedAtMs: MIDNIGHT_MS + 420_000, airings: 2, viewersAtStart: 8 },
      ...{
        viewersAtEnd: 0,
        joins: 2,
        leaves: 7,
        leftShare: 0.7,
        reactions: 10,
        likes: 5,
        messages: 5,
        requests: 15,
      },
      // One viewer of one is no share.
      ...{ mostLiked: named(3), mostLeft: named(2) },
    },
  ])
  expect(totals).toMatchObject({ airings: 3, joins: 4, leaves: 11, viewersAtStart: 10, viewersAtEnd: 0 })
  const byAiring = await statistics('days', { sort: 'leftShare' })
  expect(byAiring.items.map(({ airing, leftShare }) => [airing?.title, leftShare])).toEqual([
    ['=Title 2', 0.6],
    ['=Title 1', 4 / 12],
    ['=Title 3', null],
  ])
})

it('each sum is that of the airings, on any pages, in any order', async () => {
  const airing = fc.record({
    startsAtMs: fc.integer({ min: -400, max: 400 }).map((step) => MIDNIGHT_MS + step * 240_000),
    start: fc.option(fc.nat(20)),
    end: fc.option(fc.nat(20)),
    joins: fc.nat(9),
    leaves: fc.nat(9),
    likes: fc.nat(3),
  })
  const airings = fc.uniqueArray(airing, { selector: ({ startsAtMs }) => startsAtMs, maxLength: 12 })
  const by = fc.constantFrom<StatisticsUnit>('airing', 'hour', 'day')
  const sort = fc.constantFrom('start', 'viewersAtEnd', 'leftShare', 'likes')
  const order = fc.constantFrom('ascending', 'descending')
  await fc.assert(
    fc.asyncProperty(airings, by, sort, order, async (generated, by, sort, order) => {
      await store(
        'sums',
        generated.map((fields, index) => ({ seq: index + 1, ...fields })),
      )
      const query = { by, sort, order, limit: 2 }
      const rows = []
      let page = await statistics('sums', query)
      rows.push(...page.items)
      while (page.nextCursor !== null) {
        page = await statistics('sums', { ...query, cursor: page.nextCursor })
        rows.push(...page.items)
      }
      for (const field of ['joins', 'leaves', 'likes'] as const) {
        const expected = generated.reduce((sum, one) => sum + one[field], 0)
        expect(rows.reduce((sum, row) => sum + (row[field] ?? 0), 0)).toBe(expected)
        expect(page.totals?.[field] ?? 0).toBe(expected)
      }
      expect(rows.reduce((sum, row) => sum + row.airings, 0)).toBe(generated.length)
      const starts = rows.map(({ startedAtMs }) => startedAtMs)
      expect(new Set(starts).size).toBe(starts.length)
      const keys = rows.map((row) => (sort === 'start' ? row.startedAtMs : (row[sort] ?? -1)))
      const sorted = keys.toSorted((a, b) => (order === 'ascending' ? a - b : b - a))
      expect(keys).toEqual(sorted)
    }),
    { numRuns: 25 },
  )
})

it('exports the rows as a file in which a title is no formula', async () => {
  await store('file', AIRINGS)
  const path = `/api/channels/file/airings/statistics.csv?fromMs=${MIDNIGHT_MS}&toMs=${MIDNIGHT_MS + HOUR_MS}`
  const response = await fetch(harness.url + path, {
    headers: { authorization: `Bearer ${staff.user.token}` },
  })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = (await response.text()).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toBe(
    '"2026-11-20T18:15:00.000Z","2026-11-20T18:18:00.000Z","\'=Title 2","Artist","1","8","4","2","6","0.600","4","0","2","6"',
  )
})

it('adds up the joins and leaves of all gateways, whatever report is lost, repeated or late', async () => {
  const { db, nats, clock } = harness
  const logger = createLogger('test', 'silent')
  const counter = () => {
    const created = new AiringCounter({
      ...{ db, nats, logger, now: () => clock.nowMs },
      countMessages: (airings) => Promise.resolve(airings.map(() => 0)),
    })
    created.start()
    return created
  }
  const [first, second] = [counter(), counter()]
  clock.nowMs += 12_000
  const startsAtMs = clock.nowMs
  await harness.publish('stream.programme.started.v1', 'lost', {
    ...{ channelId: 'lost', programmeId: 'lost.7.1', seq: 7, videoId: randomUUID() },
    ...{ startsAtMs, endsAtMs: startsAtMs + 240_000, title: 'Amber Coast', artist: 'Somebody' },
  })
  const report = async (gatewayId: string, joins?: number, leaves = 0) => {
    const attendance =
      joins === undefined ? {} : { attendance: [{ channelId: 'lost', seq: 7, joins, leaves }] }
    nats.publish(
      LIVE_SUBJECTS.viewers(gatewayId),
      JSON.stringify({ gatewayId, counts: { lost: 9 }, ...attendance }),
    )
    await nats.flush()
  }
  const row = async () =>
    (await statistics('lost', { fromMs: startsAtMs, toMs: startsAtMs + 1, timeZone: 'UTC' })).items[0]

  // A gateway of an earlier release counts viewers alone.
  await report('old')
  await first.run()
  expect(await row()).toMatchObject({
    airing: { title: 'Amber Coast' },
    viewersAtStart: 9,
    joins: 0,
    leaves: 0,
  })
  await report('one', 3, 1)
  await first.run()
  await second.stop()
  await report('one', 5, 2)
  await report('two', 4, 4)
  await first.run()
  // This replica has missed the last reports.
  await second.run()
  expect(await row()).toMatchObject({ joins: 9, leaves: 6 })
  await request(await harness.join(), 'lost')
  await first.run()
  expect(await row()).toMatchObject({ joins: 9, leaves: 6, requests: 1, viewersAtEnd: null })
  await first.stop()
})

it.each([
  ['an empty range', 'fromMs=5&toMs=5', 'validation_failed'],
  ['more than 93 days', `fromMs=0&toMs=${93 * 24 * HOUR_MS + 1}`, 'validation_failed'],
  ['an unknown time zone', 'fromMs=0&toMs=5&timeZone=Mars/Olympus', 'validation_failed'],
  ['an offset as a time zone', 'fromMs=0&toMs=5&timeZone=%2B02:00', 'validation_failed'],
  ['an unknown order', 'fromMs=0&toMs=5&sort=title', 'validation_failed'],
  ['a broken cursor', 'fromMs=0&toMs=5&cursor=x', 'invalid_cursor'],
])('refuses %s', async (_what, query, code) => {
  const headers = { authorization: `Bearer ${staff.user.token}` }
  const response = await fetch(`${harness.url}/api/channels/days/airings/statistics?${query}`, { headers })
  expect(await refusalOf(response)).toEqual({ status: 400, code })
})
