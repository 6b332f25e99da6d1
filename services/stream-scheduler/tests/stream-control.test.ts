import type { ChannelLog } from '@looptide/contracts/http/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GUARD_MS } from '../src/timeline/rules.ts'
import { type GuardStub, startGuardStub } from './_guard-stub.ts'
import { MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
let guard: GuardStub

beforeAll(async () => {
  guard = await startGuardStub()
  station = await TestScheduler.start({ config: { adminAuditUrl: guard.url } })
})
afterAll(async () => {
  await station.stop()
  guard.stop()
})

const control = (id: string, action: string) =>
  station.request('POST', `/api/channels/${id}/stream`, { action })
const outbox = async (id: string) =>
  station.db
    .selectFrom('outbox')
    .select(['type', 'data'])
    .where('aggregateId', '=', id)
    .orderBy('seq')
    .execute()

test('starting a channel without videos fails and leaves it idle', async () => {
  const { body } = await station.request('POST', '/api/channels', { name: 'Nothing' })
  const answer = await control(body.id, 'start')
  expect(answer).toMatchObject({ status: 422, body: { code: 'unprocessable' } })
  expect(await station.now(body.id)).toMatchObject({ status: 'idle', programmes: [] })
})

test('start changes the status to syncing and live, and returns the number of videos', async () => {
  const videos = [video(), video(), video()]
  await station.addVideos(videos)
  const { body } = await station.request('POST', '/api/channels', { name: 'Starting' })
  await station.request('POST', `/api/channels/${body.id}/playlist`, { videoIds: videos.map((v) => v.id) })
  await station.first.close()
  station.replicas.length = 0
  await station.addReplica()
  const events: unknown[] = []
  await station.listen('stream.status.changed.v1', (event) => events.push(event.data))
  const answer = await control(body.id, 'start')
  expect(answer).toMatchObject({ status: 200, body: { success: true, status: 'live', videosCount: 3 } })
  await station.settle()
  const id = body.id
  expect(events).toEqual([
    { channelId: id, status: 'syncing' },
    { channelId: id, status: 'live' },
  ])
})

test('restart keeps the current programme and starts the loop again with the next one', async () => {
  const videos = [video(), video(), video()]
  const id = await station.channelPlaying('Again', videos)
  await station.advance(4 * MINUTE_MS)
  const before = await station.now(id)
  expect(before.programmes[0]!.videoId).toBe(videos[1]!.id)
  expect((await control(id, 'start')).body.status).toBe('live')
  const after = await station.now(id)
  expect(after.programmes[0]).toEqual(before.programmes[0])
  expect(after.programmes[1]!.videoId).toBe(videos[0]!.id)
  expect(after.timelineVersion).toBeGreaterThan(before.timelineVersion)
})

test('stop takes the channel off the air at once; start continues with the first video', async () => {
  const videos = [video(), video()]
  const id = await station.channelPlaying('Stopping', videos)
  await station.advance(4 * MINUTE_MS)
  expect((await control(id, 'stop')).body).toMatchObject({ success: true, status: 'idle', videosCount: 0 })
  expect(await station.now(id)).toMatchObject({ status: 'idle', programmes: [] })
  const log = await station.request('GET', `/api/channels/${id}/air-log`)
  expect(log.body.items[0].endedAtMs).toBe(station.clock.nowMs)
  await station.advance(30 * MINUTE_MS)
  expect(await station.now(id)).toMatchObject({ status: 'idle', programmes: [] })
  await control(id, 'start')
  const now = await station.now(id)
  expect(now.programmes[0]).toMatchObject({ startsAtMs: station.clock.nowMs, videoId: videos[0]!.id })
  expect(now.programmes[0]!.seq).toBeGreaterThan(2)
  expect((await control(id, 'stop')).status).toBe(200)
  expect((await control(id, 'stop')).status).toBe(200)
})

test('reset is guarded, cuts the current programme short and starts the loop again', async () => {
  const videos = [video(), video()]
  const id = await station.channelPlaying('Resetting', videos)
  await station.advance(4 * MINUTE_MS)
  const before = await station.now(id)
  const refusal = { code: 'admin_rate_limited', message: 'Too many', retryAfterMs: 1000 }
  guard.answer = { status: 429, body: refusal }
  expect(await control(id, 'reset')).toMatchObject({ status: 429, body: { code: 'admin_rate_limited' } })
  expect(await station.now(id)).toEqual(before)
  guard.answer = { status: 200, body: { allowed: true, remaining: 9 } }
  expect((await control(id, 'reset')).body).toMatchObject({ success: true, status: 'live', videosCount: 2 })
  const cutMs = station.clock.nowMs + GUARD_MS
  const after = await station.now(id)
  expect(after.programmes[0]).toMatchObject({ seq: before.programmes[0]!.seq, endsAtMs: cutMs })
  expect(after.programmes[1]).toMatchObject({ startsAtMs: cutMs, videoId: videos[0]!.id })
  await station.advance(MINUTE_MS)
  const log = await station.request('GET', `/api/channels/${id}/air-log?limit=2`)
  expect(log.body.items.map((item: { endedAtMs: number }) => item.endedAtMs)[1]).toBe(cutMs)
})

test('the leader finishes an interrupted start', async () => {
  const id = await station.channelPlaying('Half done', [video()])
  await control(id, 'stop')
  await station.db
    .updateTable('channels')
    .set({ status: 'syncing', statusChangedAt: new Date(Date.now() - 60_000) })
    .where('id', '=', id)
    .execute()
  await station.first.runOnce()
  expect((await station.now(id)).status).toBe('live')
})

test('only admins control the stream, and each action is audited', async () => {
  const id = await station.channelPlaying('Audited', [video()])
  for (const [person, status] of [
    [station.user, 403],
    [null, 401],
  ] as const) {
    const answer = await station.request('POST', `/api/channels/${id}/stream`, { action: 'stop' }, person)
    expect(answer.status).toBe(status)
  }
  const bad = await station.request('POST', `/api/channels/${id}/stream`, { action: 'explode' })
  expect(bad).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  // The events of the channel's creation and start.
  await station.settle()
  const audits: unknown[] = []
  await station.listen('stream.audit.recorded.v1', (event) => audits.push(event))
  await control(id, 'stop')
  await station.settle()
  expect(audits).toMatchObject([
    {
      actorId: station.admin.id,
      data: { action: 'stream.stop', targetId: id, before: { status: 'live' }, after: { status: 'idle' } },
    },
  ])
  expect(await outbox(id)).toEqual([])
})

test('a change after a reset keeps the order that the reset has planned', async () => {
  const videos = [268_000, 158_000, 324_000].map((durationMs) => video({ durationMs }))
  const guest = video({ durationMs: 309_000 })
  const id = await station.channelPlaying('In order', [...videos, guest])
  await station.publishSchedule(id, {
    timeZone: 'UTC',
    defaultSource: 'list',
    sources: { list: { kind: 'playlist' } },
    rules: { excludedArtists: [guest.artistName] },
  })
  // It cuts the first video short, which may air again before its full length is over.
  expect((await control(id, 'reset')).status).toBe(200)
  await station.advance(3000)
  const path = `/api/channels/${id}/log`
  const read = async () => {
    const { headers, body } = await station.request('GET', path)
    const rows = (body as ChannelLog).programmes
    return { etag: headers.get('etag') ?? '', titles: rows.slice(0, 9).map(({ title }) => title) }
  }
  const { etag, titles } = await read()
  const person = { headers: { ...station.admin.headers, 'if-match': etag } }
  await station.must('POST', `${path}/edits`, { action: 'insert', videoId: guest.id }, person)
  const [onAir, ...next] = titles
  expect((await read()).titles).toEqual([onAir, guest.title, ...next.slice(0, 7)])
})
