import type { ChannelPlaylistItem } from '@looptide/contracts/http/channel-playlists'
import type { Programme } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
let short: Video
let long: Video
beforeAll(async () => {
  station = await TestScheduler.start()
  short = video({ title: 'Short' })
  long = video({ title: 'Long', durationMs: 12 * HOUR_MS })
  await station.addVideos([short, long])
  await station.must('POST', '/api/channels/default/stream', { action: 'start' })
})
afterAll(() => station.stop())
beforeEach(async () => {
  await station.must('DELETE', '/api/live-playlist')
  await station.settle()
})

/** Titles that the default channel has planned after the current programme. */
async function planned() {
  const { programmes } = await station.must('GET', '/api/channels/default/guide?hours=26')
  const titles = (programmes as Programme[]).slice(1).map((programme) => programme.video?.title)
  return [...new Set(titles)].toSorted()
}

test('the default channel fills an empty live playlist with nothing longer than the limit', async () => {
  expect(await planned()).toEqual(['Short'])
})

test('a video leaves the fallback when it becomes too long, and enters it when it becomes short enough', async () => {
  const other = video({ title: 'Other', durationMs: 15 * MINUTE_MS })
  await station.addVideos([other])
  expect(await planned()).toEqual(['Other', 'Short'])
  const longer = { ...other, durationMs: 15 * MINUTE_MS + 1 }
  await station.publish(['catalogue.video.updated.v1', other.id, { video: longer }])
  expect(await planned()).toEqual(['Short'])
  await station.publish(['catalogue.video.updated.v1', other.id, { video: other }])
  expect(await planned()).toEqual(['Other', 'Short'])
  await station.publish(['catalogue.video.removed.v1', other.id, { videoId: other.id }])
})

test('a long video is in the fallback while it is on the playlist of any channel', async () => {
  const { id } = await station.must('POST', '/api/channels', { name: 'Concerts' })
  const [item] = (await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [long.id] })).items
  await station.settle()
  expect(await planned()).toEqual(['Long', 'Short'])
  await station.must('DELETE', `/api/channels/${id}/playlist/${item.id}`)
  await station.settle()
  expect(await planned()).toEqual(['Short'])
  await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [long.id] })
  await station.settle()
  expect(await planned()).toEqual(['Long', 'Short'])
  await station.must('DELETE', `/api/channels/${id}`)
  await station.settle()
  expect(await planned()).toEqual(['Short'])
})

test('the live playlist plays videos of any length', async () => {
  await station.must('POST', '/api/live-playlist', { videoIds: [long.id, short.id] })
  expect(await planned()).toEqual(['Long', 'Short'])
})

test('a simulation of an emptied live playlist shows the same fallback', async () => {
  const { items } = await station.must('POST', '/api/live-playlist', { videoIds: [long.id] })
  const body = { remove: items.map((item: { id: string }) => item.id), hours: 24 }
  const { programmes } = await station.must('POST', '/api/channels/default/simulate', body)
  const titles = (programmes as { title: string }[]).slice(1).map(({ title }) => title)
  expect(new Set(titles)).toEqual(new Set(['Short']))
})

test('if every video is too long, the default channel plays none, until one is short enough', async () => {
  await station.publish(['catalogue.video.removed.v1', short.id, { videoId: short.id }])
  expect(await planned()).toEqual([])
  await station.advance(HOUR_MS, MINUTE_MS)
  expect((await station.now('default')).programmes).toEqual([])
  await station.addVideos([{ ...short, id: crypto.randomUUID() }])
  await station.advance(MINUTE_MS)
  const [onAir] = (await station.now('default')).programmes
  expect(onAir?.video?.title).toBe('Short')
  expect(await planned()).toEqual(['Short'])
})

test('a channel plays a video once it has a title, also one of its playlist', async () => {
  const untitled = video({ title: 'Loading...' })
  await station.addVideos([untitled])
  expect(await planned()).not.toContain('Loading...')
  const { items } = await station.must('POST', '/api/live-playlist', { videoIds: [untitled.id] })
  expect(items.map((item: ChannelPlaylistItem) => item.video?.title)).toEqual(['Loading...'])
  await station.settle()
  expect(await planned()).not.toContain('Loading...')
  const { unplayable } = await station.must('POST', '/api/channels/default/simulate', { hours: 1 })
  expect(unplayable).toMatchObject([{ videoId: untitled.id, reason: 'untitled' }])

  await station.publish([
    'catalogue.video.updated.v1',
    untitled.id,
    { video: { ...untitled, title: 'Named' } },
  ])
  expect(await planned()).toEqual(['Named'])
  await station.publish(['catalogue.video.removed.v1', untitled.id, { videoId: untitled.id }])
})

test('the scheduler ignores a video under review, even in an event', async () => {
  const review = { state: 'submitted' as const, reason: null }
  const waiting = video({ title: 'Waiting', review })
  await station.addVideos([waiting])
  expect(await planned()).not.toContain('Waiting')
  const { status, body } = await station.request('POST', '/api/live-playlist', { videoIds: [waiting.id] })
  expect([status, body.code]).toEqual([404, 'not_found'])
})
