import { randomUUID } from 'node:crypto'
import { LIVE_SUBJECTS } from '@looptide/contracts/events'
import type { AirLogEntry } from '@looptide/contracts/http/channels'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { clientOf } from '@looptide/testkit/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { AiringCounter } from '../src/features/airings/airing-counter.ts'
import { deleteAiringsBefore } from '../src/features/airings/airing-repository.ts'
import { createCountMessages } from '../src/features/airings/message-counts.ts'
import { ReactionRecorder } from '../src/features/reactions/reaction-recorder.ts'
import { type AudienceHarness, refusalOf, request, startAudienceHarness, videoOf } from './_harness.ts'

const logger = createLogger('test', 'silent')
const CHANNEL = 'default'
const MINUTE_MS = 60_000

let harness: AudienceHarness
let counter: AiringCounter
let seq = 0
beforeAll(async () => {
  harness = await startAudienceHarness()
  const { db, nats, clock, config } = harness
  const countMessages = createCountMessages(config)
  counter = new AiringCounter({ db, nats, logger, now: () => clock.nowMs, countMessages })
  counter.start()
  // From now on all gateways have reported.
  clock.nowMs += 12_000
})
beforeEach(() => {
  harness.messagesOf = () => 0
})
afterAll(async () => {
  await counter.stop()
  await harness.stop()
})

/** A programme starts now, for four minutes. */
async function start({
  channelId = CHANNEL,
  ...fields
}: {
  channelId?: string
  videoId?: string
  request?: object
} = {}) {
  seq += 1
  const startsAtMs = harness.clock.nowMs
  const started = { channelId, programmeId: `${channelId}.${seq}.1`, seq, videoId: randomUUID() }
  const data = { ...started, startsAtMs, endsAtMs: startsAtMs + 4 * MINUTE_MS, ...fields }
  harness.airLog.push(entryOf(data))
  await harness.publish(
    'stream.programme.started.v1',
    channelId,
    data as Parameters<typeof harness.publish<'stream.programme.started.v1'>>[2],
  )
  return data
}

const entryOf = (data: {
  channelId: string
  seq: number
  videoId: string
  startsAtMs: number
  endsAtMs: number
}): AirLogEntry => ({
  ...{ id: `${data.channelId}.${data.seq}`, channelId: data.channelId, videoId: data.videoId },
  ...{ title: 'Title', artistName: 'Artist', thumbnailUrl: null, isListed: true, reason: null },
  ...{ startedAtMs: data.startsAtMs, endedAtMs: data.endsAtMs },
})

async function reportViewers(counts: Record<string, number>, gatewayId = 'one'): Promise<void> {
  const { nats } = harness
  nats.publish(LIVE_SUBJECTS.viewers(gatewayId), JSON.stringify({ gatewayId, counts }))
  // Of one connection, the server delivers what was published before it answers.
  await nats.flush()
}

const visitor = () => clientOf(harness.url)
const details = (airingId: string, id = CHANNEL) =>
  visitor().call('GET /api/channels/:id/airings/:airingId', { params: { id, airingId } })

it('has viewers at the start and at the end, likes and messages of its time', async () => {
  const { clock } = harness
  const [fan, late] = [await harness.join(), await harness.join()]
  const { videoId, programmeId, startsAtMs, endsAtMs } = await start()
  await harness.publish('catalogue.video.added.v1', videoId, { video: videoOf(videoId) })
  harness.messagesOf = ({ fromMs, toMs }) => (fromMs === startsAtMs && toMs === endsAtMs ? 7 : 0)
  await reportViewers({ [CHANNEL]: 3 })
  await reportViewers({ [CHANNEL]: 2, other: 5 }, 'two')
  await counter.run()
  await fan.client.call('PUT /api/videos/:id/like', { params: { id: videoId } })
  clock.nowMs += 3 * MINUTE_MS
  await reportViewers({ [CHANNEL]: 1 })
  await reportViewers({ [CHANNEL]: 1 }, 'two')
  await counter.run()
  expect(await details(programmeId)).toMatchObject({ viewersAtStart: 5, viewersAtEnd: null })

  clock.nowMs = endsAtMs
  await late.client.call('PUT /api/videos/:id/like', { params: { id: videoId } })
  await reportViewers({ [CHANNEL]: 9 })
  await counter.run()
  const expected = {
    id: programmeId,
    programme: { videoId, startedAtMs: startsAtMs },
    ...{ reactions: {}, likes: 1, requestedBy: null, viewersAtStart: 5, viewersAtEnd: 2, messages: 7 },
  }
  expect(await details(programmeId)).toMatchObject(expected)
  expect(await details(programmeId.replace(/\.1$/, ''))).toMatchObject(expected)
})

it('does not count viewers at the start that come after it', async () => {
  const { programmeId } = await start()
  harness.clock.nowMs += MINUTE_MS
  await reportViewers({ [CHANNEL]: 4 })
  await counter.run()
  const { viewersAtStart } = await details(programmeId)
  expect(viewersAtStart).toBeNull()
})

it('counts messages once the chat is back', async () => {
  const { programmeId, endsAtMs } = await start()
  harness.messagesOf = null
  harness.clock.nowMs = endsAtMs + 2 * MINUTE_MS
  await counter.run()
  expect(await details(programmeId)).toMatchObject({ messages: 0 })
  harness.messagesOf = () => 12
  await counter.run()
  expect(await details(programmeId)).toMatchObject({ messages: 12 })
  // A minute after the end nothing changes any longer.
  harness.messagesOf = () => 13
  await counter.run()
  expect(await details(programmeId)).toMatchObject({ messages: 12 })
})

it('is counted also when more are on than one request to the chat may ask for', async () => {
  const { db, clock } = harness
  const [startsAt, endsAt] = [new Date(clock.nowMs - 5 * MINUTE_MS), new Date(clock.nowMs - MINUTE_MS)]
  harness.messagesOf = () => 4
  await sql`insert into airings (channel_id, seq, airing_id, video_id, starts_at, ends_at)
    select 'many' || n, 1, 'many' || n || '.1.1', gen_random_uuid(), ${startsAt}::timestamptz, ${endsAt}::timestamptz
    from generate_series(1, 1001) n`.execute(db)
  await counter.run()
  const counted = await db
    .selectFrom('airings')
    .select('messages')
    .where('channelId', 'like', 'many%')
    .where('isCounted', '=', true)
    .execute()
  expect(counted).toEqual(Array.from({ length: 1001 }, () => ({ messages: 4 })))
})

it('ends when the next programme starts, also if the events come in the other order', async () => {
  const first = await start()
  const { clock } = harness
  clock.nowMs += MINUTE_MS
  const second = await start()
  const ends = () =>
    harness.db
      .selectFrom('airings')
      .select(['seq', 'endsAt'])
      .where('seq', 'in', [first.seq, second.seq])
      .orderBy('seq')
      .execute()
  const expected = [
    { seq: first.seq, endsAt: new Date(second.startsAtMs) },
    { seq: second.seq, endsAt: new Date(second.endsAtMs) },
  ]
  expect(await ends()).toEqual(expected)
  await harness.db.deleteFrom('airings').where('seq', '=', first.seq).execute()
  await harness.publish(
    'stream.programme.started.v1',
    CHANNEL,
    first as Parameters<typeof harness.publish<'stream.programme.started.v1'>>[2],
  )
  expect(await ends()).toEqual(expected)
})

it('shows how many reactions there were when, of all gateways, also to the rest of one that is cut short', async () => {
  const { db, nats, clock } = harness
  const { programmeId } = await start()
  const recorder = new ReactionRecorder({ db, nats, logger, now: () => clock.nowMs })
  const report = async (gatewayId: string, counts: object, airingId = programmeId) => {
    const airings = [{ channelId: CHANNEL, airingId, counts }]
    recorder.start()
    nats.publish(LIVE_SUBJECTS.reactions(gatewayId), JSON.stringify({ gatewayId, airings }))
    await nats.flush()
    await recorder.stop()
  }
  clock.nowMs += 5000
  await report('one', { '❤️': 2 })
  clock.nowMs += 30_000
  await report('one', { '❤️': 5 })
  await report('two', { '🔥': 1 })
  // It is cut short, which gives it another id, for which gateways count from the beginning.
  await report('one', { '👏': 1 }, programmeId.replace(/\.1$/, '.2'))
  const params = { id: CHANNEL, airingId: programmeId }
  expect(await visitor().call('GET /api/channels/:id/airings/:airingId/reactions', { params })).toEqual({
    steps: [
      { afterMs: 10_000, counts: { '❤️': 2 } },
      { afterMs: 40_000, counts: { '❤️': 3, '🔥': 1, '👏': 1 } },
    ],
  })
  expect(await details(programmeId)).toMatchObject({ reactions: { '❤️': 5, '🔥': 1, '👏': 1 } })
})

it('lists the airings of a time by pages, with the requester until the account is deleted', async () => {
  const { clock } = harness
  clock.nowMs += MINUTE_MS
  const fromMs = clock.nowMs
  const viewer = await harness.join()
  const { id } = await request(viewer, CHANNEL)
  const wanted = await start({ request: { id, currency: 'turn', sequence: 1, passedOver: [] } })
  clock.nowMs += MINUTE_MS
  const next = await start()
  const list = (query: { limit?: number; cursor?: string } = {}) =>
    visitor().call('GET /api/channels/:id/airings', {
      params: { id: CHANNEL },
      query: { fromMs, toMs: clock.nowMs + 1, ...query },
    })
  const first = await list({ limit: 1 })
  expect(first.items).toMatchObject([
    { id: wanted.programmeId, startedAtMs: wanted.startsAtMs, requestedBy: { userId: viewer.user.id } },
  ])
  const rest = await list({ limit: 1, cursor: first.nextCursor ?? '' })
  expect(rest).toMatchObject({ items: [{ id: next.programmeId, requestedBy: null }], nextCursor: null })

  await harness.publish('auth.user.deleted.v1', viewer.user.id, { userId: viewer.user.id })
  expect((await list()).items.map(({ requestedBy }) => requestedBy)).toEqual([null, null])
  expect(await details(wanted.programmeId)).toMatchObject({ requestedBy: null })
})

it.each([
  ['an unknown airing', '/api/channels/default/airings/default.99999', 404, 'not_found'],
  ['an airing of another channel', '/api/channels/other/airings/default.1.1', 404, 'not_found'],
  ['what is no id', '/api/channels/default/airings/default', 400, 'validation_failed'],
  ['an empty range', '/api/channels/default/airings?fromMs=5&toMs=5', 400, 'validation_failed'],
  ['more than a day', '/api/channels/default/airings?fromMs=0&toMs=86400001', 400, 'validation_failed'],
  [
    'a time after all calendars',
    '/api/channels/default/airings?fromMs=9e15&toMs=9e15',
    400,
    'validation_failed',
  ],
  ['a broken cursor', '/api/channels/default/airings?fromMs=0&toMs=5&cursor=x', 400, 'invalid_cursor'],
])('refuses %s', async (_what, path, status, code) => {
  expect(await refusalOf(await fetch(`${harness.url}${path}`))).toEqual({ status, code })
})

it('is deleted with its channel, and with the air log', async () => {
  const { db, clock } = harness
  const gone = await start({ channelId: 'gone' })
  const old = await start()
  clock.nowMs += 1000
  const kept = await start()
  await harness.publish('stream.channel.deleted.v1', 'gone', { channelId: 'gone' })
  await deleteAiringsBefore(db, new Date(kept.startsAtMs))
  const rows = await db
    .selectFrom('airings')
    .select('seq')
    .where('seq', 'in', [gone.seq, old.seq, kept.seq])
    .execute()
  expect(rows).toEqual([{ seq: kept.seq }])
})
