import { newId } from '@looptide/service-kit/db/ids'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteChannel } from '../src/channels/channel-repository.ts'
import { applyAddedVideos, applyRemovedVideos } from '../src/library/apply-videos.ts'
import { removeVideos } from '../src/library/video-repository.ts'
import { insertItems, lockVideos } from '../src/playlists/playlist-repository.ts'
import { MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

const items = async (id: string) => (await station.must('GET', `/api/channels/${id}/playlist`)).items
const upcoming = async (id: string) => (await station.now(id)).programmes.map((p) => p.videoId)

test('a channel gets an unused id derived from its name, and the last position', async () => {
  const first = await station.request('POST', '/api/channels', { name: '  Rock & Söul! ', description: ' ' })
  expect(first.status).toBe(201)
  expect(first.body).toMatchObject({
    id: 'rock-soul',
    name: 'Rock & Söul!',
    description: null,
    status: 'idle',
  })
  const second = await station.must('POST', '/api/channels', { name: 'Rock Soul', position: 0 })
  expect(second).toMatchObject({ id: 'rock-soul-2', position: first.body.position + 1 })
  expect((await station.must('POST', '/api/channels', { name: '東京' })).id).toBe('channel')
  expect((await station.must('POST', '/api/channels', { name: 'Quarantine' })).id).toBe('quarantine-2')
})

test('a copy has the settings and the playlist of its original, is off the air and independent', async () => {
  const added = [video(), video()]
  await station.addVideos(added)
  const [first, second] = added.map(({ id }) => id)
  const body = { name: 'Original', description: 'All night' }
  const { id } = await station.must('POST', '/api/channels', body)
  await station.must('PATCH', `/api/channels/${id}`, { shuffleEnabled: true })
  await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [second, first, second] })
  const copy = await station.must('POST', '/api/channels', { name: 'The other', copyOf: id })
  expect(copy).toMatchObject({
    id: 'the-other',
    name: 'The other',
    description: 'All night',
    shuffleEnabled: true,
    status: 'idle',
  })
  const videoIds = async (channelId: string) =>
    (await items(channelId)).map((item: { videoId: string }) => item.videoId)
  expect(await videoIds(copy.id)).toEqual([second, first, second])
  const [item] = await items(copy.id)
  await station.must('DELETE', `/api/channels/${copy.id}/playlist/${item.id}`)
  expect(await videoIds(id)).toHaveLength(3)
  const missing = await station.request('POST', '/api/channels', { name: 'Nothing', copyOf: 'nowhere' })
  expect(missing).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('a channel gets a logo that the station stores, which can be removed', async () => {
  const logoUrl = '/api/theme/assets/AAAAAAAAAAAAAAAAAAAAAA'
  const created = await station.must('POST', '/api/channels', { name: 'With a logo', logoUrl })
  expect(created.logoUrl).toBe(logoUrl)
  const listed = (await station.must('GET', '/api/channels')).items
  expect(listed.find(({ id }: { id: string }) => id === created.id)).toMatchObject({ logoUrl })
  const path = `/api/channels/${created.id}`
  for (const hostile of [
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    'https://elsewhere.example.test/pixel.png',
    '//elsewhere.example.test/api/theme/assets/AAAAAAAAAAAAAAAAAAAAAA',
    '/api/theme/assets/../../me',
    `${logoUrl}A`,
    '',
  ]) {
    const { status, body } = await station.request('PATCH', path, { logoUrl: hostile })
    expect([hostile, status, body.code]).toEqual([hostile, 400, 'validation_failed'])
  }
  expect((await station.must('PATCH', path, { name: 'Renamed' })).logoUrl).toBe(logoUrl)
  expect((await station.must('PATCH', path, { logoUrl: null })).logoUrl).toBeNull()
})

test('invalid channels are refused and not created', async () => {
  const before = (await station.must('GET', '/api/channels')).items.length
  for (const body of [
    {},
    { name: ' ' },
    { name: 'x'.repeat(101) },
    { name: 'x', colour: 'red' },
    { name: 7 },
  ]) {
    expect(await station.request('POST', '/api/channels', body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
  }
  expect((await station.must('GET', '/api/channels')).items).toHaveLength(before)
})

test('viewers see the active channels by position, admins all of them', async () => {
  const { id } = await station.must('POST', '/api/channels', { name: 'Hidden', position: 1 })
  await station.must('PATCH', `/api/channels/${id}`, { isActive: false })
  const list = async (person: typeof station.admin | null) =>
    (await station.must('GET', '/api/channels', undefined, person)).items.map((c: { id: string }) => c.id)
  expect(await list(null)).not.toContain(id)
  expect((await list(station.admin)).slice(0, 2)).toEqual(['default', id])
  const page = await station.must('GET', '/api/channels?limit=1')
  const next = await station.must('GET', `/api/channels?limit=100&cursor=${page.nextCursor}`)
  expect([...page.items, ...next.items].map((c: { id: string }) => c.id)).toEqual(await list(station.admin))
})

test('only admins change channels and playlists', async () => {
  const calls = [
    ['POST', '/api/channels', { name: 'x' }],
    ['PATCH', '/api/channels/default', { name: 'x' }],
    ['DELETE', '/api/channels/default', undefined],
    ['GET', '/api/channels/default/playlist', undefined],
    ['POST', '/api/channels/default/playlist', { videoIds: [newId()] }],
    ['PUT', '/api/channels/default/playlist', { itemIds: [newId()] }],
    ['PUT', '/api/channels/default/playlist/order', { itemIds: [newId()] }],
    ['DELETE', `/api/channels/default/playlist/${newId()}`, undefined],
    ['GET', '/api/live-playlist', undefined],
    ['POST', '/api/live-playlist', { videoIds: [newId()] }],
    ['DELETE', '/api/live-playlist', undefined],
    ['GET', '/api/channels/quarantine', undefined],
    ['DELETE', `/api/channels/quarantine/${newId()}`, undefined],
  ] as const
  for (const [method, path, body] of calls) {
    expect([path, (await station.request(method, path, body, null)).status]).toEqual([path, 401])
    expect([path, (await station.request(method, path, body, station.user)).status]).toEqual([path, 403])
  }
})

test('deleting a channel deletes its data; the default channel cannot be deleted', async () => {
  const id = await station.channelPlaying('Short lived', [video()])
  expect((await station.request('DELETE', `/api/channels/${id}`)).status).toBe(204)
  expect((await station.request('GET', `/api/channels/${id}/now`)).status).toBe(404)
  for (const table of ['programmes', 'channelPlaylists', 'airLog', 'scheduleStates'] as const) {
    expect(await station.db.selectFrom(table).selectAll().where('channelId', '=', id).execute()).toEqual([])
  }
  expect((await station.request('DELETE', `/api/channels/${id}`)).status).toBe(404)
  expect((await station.request('DELETE', '/api/channels/default')).status).toBe(409)
})

test('playlist edits change the future from the next programme', async () => {
  const [a, b, c, d] = [video(), video(), video(), video()] as const
  const id = await station.channelPlaying('Edited', [a, b, c])
  await station.advance(MINUTE_MS)
  const onAir = (await station.now(id)).programmes[0]!
  await station.addVideos([d])
  const added = await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [d.id] })
  expect(added.items).toMatchObject([{ videoId: d.id, position: 3, video: { title: d.title } }])
  expect((await upcoming(id)).slice(0, 5)).toEqual([a.id, b.id, c.id, d.id, a.id])
  const list = await items(id)
  expect(list.map((item: { position: number }) => item.position)).toEqual([0, 1, 2, 3])
  const [ia, ib, ic, ie] = list.map((item: { id: string }) => item.id)
  await station.must('PUT', `/api/channels/${id}/playlist/order`, { itemIds: [ie, ia, ic, ib] })
  expect((await upcoming(id)).slice(0, 5)).toEqual([a.id, c.id, b.id, d.id, a.id])
  await station.must('DELETE', `/api/channels/${id}/playlist/${ia}`)
  expect((await upcoming(id)).slice(0, 5)).toEqual([a.id, c.id, b.id, d.id, c.id])
  expect((await station.now(id)).programmes[0]).toEqual(onAir)
})

test('an order with missing or foreign items is refused and changes nothing', async () => {
  const id = await station.channelPlaying('Ordered', [video(), video()])
  const [first, second] = await items(id)
  for (const itemIds of [[first.id], [first.id, newId()], [first.id, second.id, newId()]]) {
    const answer = await station.request('PUT', `/api/channels/${id}/playlist/order`, { itemIds })
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
  }
  const twice = await station.request('PUT', `/api/channels/${id}/playlist/order`, {
    itemIds: [first.id, first.id],
  })
  expect(twice.status).toBe(400)
  expect((await items(id)).map((item: { id: string }) => item.id)).toEqual([first.id, second.id])
})

test('unknown videos, items and channels are not found', async () => {
  const id = await station.channelPlaying('Known', [video()])
  const add = await station.request('POST', `/api/channels/${id}/playlist`, { videoIds: [newId()] })
  expect(add).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await station.request('DELETE', `/api/channels/${id}/playlist/${newId()}`)).status).toBe(404)
  expect((await station.request('POST', '/api/channels/no-such/stream', { action: 'start' })).status).toBe(
    404,
  )
})

test('an edit keeps a programme that starts within the guard interval', async () => {
  const [a, b, c] = [video(), video(), video()] as const
  const id = await station.channelPlaying('Guarded', [a, b, c])
  await station.advance(3 * MINUTE_MS - 1500)
  const [, second] = await items(id)
  await station.must('DELETE', `/api/channels/${id}/playlist/${second.id}`)
  expect((await upcoming(id)).slice(0, 4)).toEqual([a.id, b.id, c.id, a.id])
})

test('the default channel plays the live playlist, and every public video while that is empty', async () => {
  const videos = [video(), video(), video()]
  await station.addVideos(videos)
  await station.must('PATCH', '/api/channels/default', { shuffleEnabled: false })
  const started = await station.must('POST', '/api/channels/default/stream', { action: 'start' })
  expect(started.videosCount).toBeGreaterThan(3)
  const videoIds = [videos[2]!.id, videos[0]!.id]
  await station.must('POST', '/api/live-playlist', { videoIds })
  const live = await station.must('GET', '/api/live-playlist')
  expect(live.items.map((item: { videoId: string }) => item.videoId)).toEqual(videoIds)
  expect((await upcoming('default')).slice(1, 5)).toEqual([...videoIds, ...videoIds])
  expect(await station.must('DELETE', '/api/live-playlist')).toEqual({ removed: 2 })
  expect(new Set(await upcoming('default')).size).toBeGreaterThan(3)
})

test('shuffle can be switched on and off while a channel is on the air', async () => {
  const videos = Array.from({ length: 12 }, (_, index) => video({ artistName: `Band ${index % 3}` }))
  const id = await station.channelPlaying('Shuffling', videos)
  const onAir = (await station.now(id)).programmes[0]!
  await station.must('PATCH', `/api/channels/${id}`, { shuffleEnabled: true })
  const shuffled = await station.now(id)
  expect(shuffled.programmes[0]).toEqual(onAir)
  const artists = shuffled.programmes.map((p) => p.video?.artistName)
  expect(artists.filter((artist, index) => artist === artists[index - 1])).toEqual([])
  expect(new Set(shuffled.programmes.slice(1, 13).map((p) => p.videoId)).size).toBe(12)
  await station.must('PATCH', `/api/channels/${id}`, { shuffleEnabled: false })
  expect((await upcoming(id)).slice(0, 4)).toEqual(videos.slice(0, 4).map((v) => v.id))
})

test('a playlist is read by pages with continuous positions', async () => {
  const id = await station.channelPlaying('Paged', [video(), video(), video()])
  const page = await station.must('GET', `/api/channels/${id}/playlist?limit=2`)
  const rest = await station.must('GET', `/api/channels/${id}/playlist?limit=2&cursor=${page.nextCursor}`)
  const all = [...page.items, ...rest.items]
  expect(all.map((item) => item.position)).toEqual([0, 1, 2])
  expect(rest.nextCursor).toBeNull()
  const whole = await station.must('GET', `/api/channels/${id}/playlist?limit=1000`)
  expect(whole).toEqual({ items: all, nextCursor: null })
  const tooMany = await station.request('GET', `/api/channels/${id}/playlist?limit=1001`)
  expect(tooMany.status).toBe(400)
})

test('a video removed from the library while it is added to a playlist ends up in neither', async () => {
  const [stays, leaves] = [video(), video()]
  const id = await station.channelPlaying('Crossing', [stays])
  await station.addVideos([leaves])
  const { db } = station
  let removal: Promise<void> = Promise.resolve()
  await db.transaction().execute(async (trx) => {
    await lockVideos(trx, [leaves.id])
    removal = db.transaction().execute((other) => removeVideos(other, [leaves.id], Number.MAX_SAFE_INTEGER))
    await Promise.race([removal, untilLocksAreAwaited()])
    await insertItems(trx, id, [leaves.id], null)
  })
  await removal
  expect((await items(id)).map((item: { videoId: string }) => item.videoId)).toEqual([stays.id])
  const stored = db.selectFrom('channelPlaylists').select('id').where('videoId', '=', leaves.id)
  expect(await stored.execute()).toEqual([])
})

test('a report, a removed and a restored video do not refer to a channel that is deleted at the same moment', async () => {
  const [leaves, stays, returns] = [video(), video(), video()]
  const reported = { ...video(), durationAssumed: true }
  const id = await station.channelPlaying('Deleted meanwhile', [reported, leaves, stays, returns])
  const other = await station.channelPlaying('Stays', [leaves, stays, returns])
  const { db } = station
  await db.transaction().execute((trx) => applyRemovedVideos(trx, [returns.id], 1000))
  await station.settle()
  const pending: Promise<unknown>[] = []
  await db.transaction().execute(async (trx) => {
    await deleteChannel(trx, id)
    for (const start of [
      () =>
        station.request('POST', `/api/channels/${id}/reports`, { videoId: reported.id, durationMs: 200_000 }),
      () => db.transaction().execute((removal) => applyRemovedVideos(removal, [leaves.id], 1000)),
      () => db.transaction().execute((addition) => applyAddedVideos(addition, [returns], 1001)),
    ]) {
      const started = start()
      pending.push(started.catch((error: unknown) => error))
      await Promise.race([started, untilLocksAreAwaited(pending.length)])
    }
  })
  const [answer, ...events] = await Promise.all(pending)
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(events).toEqual([undefined, undefined])
  await station.settle()
  expect((await items(other)).map((item: { videoId: string }) => item.videoId)).toEqual([
    stays.id,
    returns.id,
  ])
})

/** Waits until `count` transactions wait for locks of others. */
function untilLocksAreAwaited(count = 1) {
  return until(`${count} transactions wait for a lock`, async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(station.db)
    return (rows[0]?.waiting ?? 0) >= count
  })
}
