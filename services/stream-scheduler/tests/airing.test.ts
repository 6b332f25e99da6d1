import type { ChannelPlaylistItem } from '@looptide/contracts/http/channel-playlists'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

const request = (channelId: string, videoIds: string[]) =>
  station.publish(['catalogue.airing.requested.v1', channelId, { channelId, videoIds }])
const playlist = async (channelId: string): Promise<string[]> => {
  const { items } = await station.must('GET', `/api/channels/${channelId}/playlist`)
  return (items as ChannelPlaylistItem[]).map((item) => item.videoId)
}

test('accepted videos are appended to the channel’s playlist in order and planned', async () => {
  const [first, ...more] = [video(), video(), video()]
  const id = await station.channelPlaying('Accepted', [first!])
  await station.addVideos(more)
  const ids = more.map((each) => each.id).toReversed()
  await request(id, ids)
  expect(await playlist(id)).toEqual([first!.id, ...ids])
  const { programmes } = await station.now(id)
  expect(programmes.slice(0, 3).map((programme) => programme.video?.id)).toEqual([first!.id, ...ids])
})

test('a request for videos that the playlist already has adds nothing', async () => {
  const [one, other] = [video(), video()]
  const id = await station.channelPlaying('Once', [one])
  await station.addVideos([other])
  await request(id, [one.id, other.id])
  await request(id, [other.id])
  expect(await playlist(id)).toEqual([one.id, other.id])
})

test('accepted videos are appended to the live playlist of the default channel', async () => {
  const one = video()
  await station.addVideos([one])
  await request('default', [one.id])
  const { items } = await station.must('GET', '/api/live-playlist')
  expect((items as ChannelPlaylistItem[]).map((item) => item.videoId)).toEqual([one.id])
})

test('an unknown channel and unknown videos are ignored, and later events are applied', async () => {
  const one = video()
  const id = await station.channelPlaying('Still there', [video()])
  await station.addVideos([one])
  await request('no-such-channel', [one.id])
  await request(id, [crypto.randomUUID(), one.id])
  expect((await playlist(id)).at(-1)).toBe(one.id)
  const deadLetters = await station.db.selectFrom('deadLetters').selectAll().execute()
  expect(deadLetters).toEqual([])
})
