import type { Programme } from '@looptide/contracts/http/channels'
import { idFromName } from '@looptide/service-kit/db/ids'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { seedDemo, waitUntilPlanned } from '../src/demo/demo-channels.ts'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterEach(() => station.deleteChannels())
afterAll(() => station.stop())

const guide = async (id: string, hours = 26): Promise<Programme[]> =>
  (await station.request('GET', `/api/channels/${id}/guide?hours=${hours}`, undefined, null)).body.programmes

test('the demo channels are planned when the videos arrive, and the seed can run twice', async () => {
  const files = ['a.mp4', 'b.mp4']
  expect(await seedDemo(station.db, files, 'none')).toEqual(['default'])
  expect(await seedDemo(station.db, files, 'test-card')).toEqual(['test-card'])
  expect(await seedDemo(station.db, files, 'all')).toEqual([])
  await station.settle()
  expect(await station.now('default')).toMatchObject({ status: 'live', programmes: [] })
  const demo = ['default', 'test-card']
  expect(await waitUntilPlanned(station.db, demo, 0)).toBe(false)
  const clips = files.map((file) => video({ id: idFromName(`demo:${file}`), title: file }))
  await station.addVideos([...clips, video()])
  expect(await waitUntilPlanned(station.db, demo, 0)).toBe(true)
  const card = await station.now('test-card')
  expect(card.programmes.slice(0, 3).map((p) => p.video?.title)).toEqual(['a.mp4', 'b.mp4', 'a.mp4'])
  const now = await station.now('default')
  expect(now.programmes.length).toBeGreaterThanOrEqual(40)
  expect(now.programmes[0]!.startsAtMs).toBeLessThanOrEqual(station.clock.nowMs)
  expect((await guide('default')).at(-1)!.endsAtMs).toBeGreaterThanOrEqual(station.clock.nowMs + 26 * HOUR_MS)
})

test('/metrics has the length of the shortest timeline of a channel on the air', async () => {
  const metrics = async () => (await fetch(`${station.first.url}/metrics`)).text()
  const ahead = async () => Number(/^looptide_timeline_ahead_seconds\{.*\} (.+)$/m.exec(await metrics())?.[1])
  await station.channelPlaying('Measured ahead', [video(), video()])
  const seconds = await ahead()
  expect(seconds).toBeGreaterThanOrEqual(37 * 3600)
  expect(seconds).toBeLessThan(39 * 3600)
})

test('a shuffle that begins with the programme planned anyway is stored as a new cycle', async () => {
  // A shuffle of two artists begins with the one that is not on the air, which is next in the playlist, too.
  const id = await station.channelPlaying('Two artists', [video(), video()])
  const rows = () =>
    station.db
      .selectFrom('programmes')
      .select(['seq', 'roundSeq', 'itemId'])
      .where('channelId', '=', id)
      .orderBy('seq')
      .limit(5)
      .execute()
  const before = await rows()
  expect(before.map(({ roundSeq }) => roundSeq)).toEqual([1, 1, 3, 3, 5])
  await station.must('PATCH', `/api/channels/${id}`, { shuffleEnabled: true })
  const after = await rows()
  expect(after.map(({ itemId }) => itemId)).toEqual(before.map(({ itemId }) => itemId))
  expect(after.map(({ roundSeq }) => roundSeq)).toEqual([1, 2, 2, 4, 4])
})

test('over two days the timeline stays 26 hours long and the air log has every programme once, without gaps', async () => {
  const id = await station.channelPlaying('Long run', [video(), video({ durationMs: 254_321 }), video()])
  const startedMs = station.clock.nowMs
  for (let hour = 0; hour < 48; hour += 1) {
    await station.advance(HOUR_MS, 20 * MINUTE_MS)
    const ahead = await guide(id)
    expect(ahead.at(-1)!.endsAtMs).toBeGreaterThanOrEqual(station.clock.nowMs + 26 * HOUR_MS)
    expect(ahead[0]!.startsAtMs).toBeLessThanOrEqual(station.clock.nowMs)
  }
  const rows = await station.db
    .selectFrom('airLog')
    .selectAll()
    .where('channelId', '=', id)
    .orderBy('seq')
    .execute()
  expect(rows[0]!.startedAtMs).toBe(startedMs)
  for (const [index, row] of rows.slice(1).entries()) {
    expect(row.startedAtMs).toBe(rows[index]!.endedAtMs)
    expect(row.seq).toBe(rows[index]!.seq + 1)
  }
  expect(rows.at(-1)!.endedAtMs).toBeGreaterThan(station.clock.nowMs)
  const kept = await station.db
    .selectFrom('programmes')
    .select(sql<number>`min(ends_at_ms)`.as('oldest'))
    .where('channelId', '=', id)
    .executeTakeFirstOrThrow()
  expect(kept.oldest).toBeGreaterThan(station.clock.nowMs - 5 * HOUR_MS)
})

test('after hours without a worker the air log is completed and the timeline continues unchanged', async () => {
  const id = await station.channelPlaying('Asleep', [video(), video()])
  const before = await guide(id)
  await station.advance(9 * HOUR_MS + 12_345)
  const now = await station.now(id)
  const expected = before.find((p) => p.endsAtMs > station.clock.nowMs)
  expect(now.programmes[0]).toEqual(expected)
  const { body } = await station.request('GET', `/api/channels/${id}/air-log?limit=100`)
  expect(body.items[0]).toMatchObject({ startedAtMs: expected!.startsAtMs })
  const events = await station.db
    .selectFrom('airLog')
    .select(sql<number>`count(*)`.as('count'))
    .where('channelId', '=', id)
    .executeTakeFirstOrThrow()
  expect(events.count).toBe(before.filter((p) => p.startsAtMs <= station.clock.nowMs).length)
})

test('a channel whose timeline has run out starts again now', async () => {
  const id = await station.channelPlaying('Long gone', [video(), video()])
  await station.advance(40 * HOUR_MS)
  const now = await station.now(id)
  expect(now.programmes[0]!.startsAtMs).toBe(station.clock.nowMs)
})

test('the air log is searched by time and read by pages', async () => {
  const id = await station.channelPlaying('Logged', [video(), video()])
  const fromMs = station.clock.nowMs
  await station.advance(31 * MINUTE_MS)
  const page = await station.request('GET', `/api/channels/${id}/air-log?limit=4`)
  expect(page.body.items.map((item: { startedAtMs: number }) => item.startedAtMs - fromMs)).toEqual(
    [30, 27, 24, 21].map((minutes) => minutes * MINUTE_MS),
  )
  const next = await station.request(
    'GET',
    `/api/channels/${id}/air-log?limit=4&cursor=${page.body.nextCursor}`,
  )
  expect(next.body.items[0].startedAtMs - fromMs).toBe(18 * MINUTE_MS)
  const window = `afterMs=${fromMs + 4 * MINUTE_MS}&beforeMs=${fromMs + 10 * MINUTE_MS}`
  const found = await station.request('GET', `/api/channels/${id}/air-log?${window}`)
  expect(found.body.items).toHaveLength(3)
  expect((await station.request('GET', `/api/channels/${id}/air-log?cursor=nonsense`)).status).toBe(400)
})

test('now is answered with an ETag, the server’s time in a header and no-store', async () => {
  const id = await station.channelPlaying('Etag', [video()])
  const first = await station.request('GET', `/api/channels/${id}/now`, undefined, null)
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(Number(first.headers.get('x-server-now-ms'))).toBe(first.body.serverNowMs)
  const url = `${station.first.url}/api/channels/${id}/now`
  const again = await fetch(url, { headers: { 'if-none-match': first.headers.get('etag')! } })
  expect(again.status).toBe(304)
  expect(again.headers.get('x-server-now-ms')).not.toBeNull()
  expect((await station.request('GET', '/api/channels/no-such/now', undefined, null)).status).toBe(404)
})

test('a changed, hidden, unavailable or removed video changes the future, not the current programme', async () => {
  const [a, b, c] = [video(), video(), video()] as const
  const id = await station.channelPlaying('Changing', [a, b, c])
  const onAir = (await station.now(id)).programmes[0]!
  const next = async () => (await station.now(id)).programmes.slice(0, 4).map((p) => p.videoId)
  const publishUpdate = (changed: typeof a) =>
    station.publish(['catalogue.video.updated.v1', changed.id, { video: changed }])

  await publishUpdate({ ...b, metadataStatus: 'unavailable', unavailableReason: 'private' })
  expect(await next()).toEqual([a.id, c.id, a.id, c.id])
  await publishUpdate({ ...b, durationMs: 100_000, duration: '1:40' })
  expect(await next()).toEqual([a.id, b.id, c.id, a.id])
  await publishUpdate({ ...a, durationMs: 100_000, duration: '1:40', title: 'Another title' })
  const now = await station.now(id)
  expect(now.programmes[0]).toMatchObject({
    startsAtMs: onAir.startsAtMs,
    endsAtMs: onAir.endsAtMs,
    seq: onAir.seq,
  })
  expect(now.programmes[0]!.video?.title).toBe('Another title')
  const later = now.programmes.slice(1).find((p) => p.videoId === a.id)!
  expect(later.endsAtMs - later.startsAtMs).toBe(100_000)
  await station.publish(['catalogue.video.removed.v1', a.id, { videoId: a.id }])
  expect((await next()).slice(1)).not.toContain(a.id)
  expect((await station.now(id)).programmes[0]).toMatchObject({ videoId: a.id, endsAtMs: onAir.endsAtMs })
  const playlist = await station.request('GET', `/api/channels/${id}/playlist`)
  expect(playlist.body.items.map((item: { videoId: string }) => item.videoId)).toEqual([b.id, c.id])
})

test('an event that does not affect a channel leaves its timeline unchanged', async () => {
  const a = video()
  const id = await station.channelPlaying('Untouched', [a, video()])
  const { timelineVersion } = await station.now(id)
  await station.publish(['catalogue.video.updated.v1', a.id, { video: { ...a, viewCount: 99 } }])
  await station.addVideos([video()])
  expect((await station.now(id)).timelineVersion).toBe(timelineVersion)
})

test('a channel with nothing to play has no programmes, and is planned again with the next playable video', async () => {
  const a = video()
  const id = await station.channelPlaying('Empty', [a])
  await station.publish([
    'catalogue.video.updated.v1',
    a.id,
    { video: { ...a, metadataStatus: 'unavailable' } },
  ])
  expect((await station.now(id)).programmes).toHaveLength(1)
  await station.advance(10 * MINUTE_MS)
  expect(await station.now(id)).toMatchObject({ status: 'live', programmes: [] })
  await station.publish(['catalogue.video.updated.v1', a.id, { video: { ...a, metadataStatus: 'resolved' } }])
  expect((await station.now(id)).programmes[0]!.startsAtMs).toBe(station.clock.nowMs)
})
