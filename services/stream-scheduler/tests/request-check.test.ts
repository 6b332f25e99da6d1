import { randomUUID } from 'node:crypto'
import type { Channel } from '@looptide/contracts/http/channels'
import type { RequestCheck } from '@looptide/contracts/http/requests'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

const schedule = (rules: ScheduleDocument['rules'] = {}): ScheduleDocument => ({
  timeZone: 'Etc/UTC',
  defaultSource: 'all',
  sources: { all: { kind: 'playlist', order: 'playlist' } },
  clocks: { evening: [{ source: 'requests', count: 1, fallback: 'all' }] },
  rules,
})

async function check(channelId: string, videoId: string): Promise<RequestCheck> {
  const headers = { 'x-internal-token': station.identity.internalToken }
  const path = `/internal/channels/${channelId}/request-check?videoId=${videoId}`
  return station.must('GET', path, undefined, { headers })
}

test('a channel accepts requests if its schedule has a slot for them', async () => {
  const song = video()
  const id = await station.channelPlaying('Slots', [song])
  const airingId = `${id}.1.1`
  expect(await check(id, song.id)).toEqual({
    ...{ isActive: true, isOpen: false, airingId, video: null, forbidden: null },
  })
  await station.publishSchedule(id, schedule())
  expect(await check(id, song.id)).toEqual({
    isActive: true,
    isOpen: true,
    airingId: expect.stringMatching(/^slots\.1\./),
    video: {
      ...{ id: song.id, title: song.title, artistName: song.artistName },
      ...{ thumbnailUrl: null, durationMs: 3 * MINUTE_MS },
    },
    forbidden: null,
  })
})

test('the list of channels says which take requests, and by which ways, also after a schedule was removed', async () => {
  const id = await station.channelPlaying('Listed', [video()])
  const requestSlots = async (): Promise<string[] | undefined> => {
    const { items } = await station.must('GET', '/api/channels')
    const channel: Channel | undefined = items.find((one: Channel) => one.id === id)
    expect(channel?.takesRequests).toBe(channel?.requestSlots?.length !== 0)
    return channel?.requestSlots
  }
  expect(await requestSlots()).toEqual([])
  await station.publishSchedule(id, schedule())
  expect(await requestSlots()).toEqual(['turns'])
  await station.publishSchedule(id, { ...schedule(), clocks: { evening: [{ source: 'all' }] } })
  expect(await requestSlots()).toEqual([])
  const votes = [{ source: 'votes', fallback: 'all' }]
  await station.publishSchedule(id, { ...schedule(), clocks: { evening: votes } })
  expect(await requestSlots()).toEqual(['votes'])
  const both = [{ source: 'requests', fallback: 'all' }, ...votes]
  await station.publishSchedule(id, { ...schedule(), clocks: { evening: both } })
  expect(await requestSlots()).toEqual(['turns', 'votes'])
  await station.must('DELETE', `/api/channels/${id}/schedule`)
  expect(await requestSlots()).toEqual([])
})

test('unknown, private and removed videos cannot be requested, and unknown channels are not found', async () => {
  const [song, hidden, removed] = [video(), video({ isPublic: false }), video()]
  const id = await station.channelPlaying('Videos', [song, hidden, removed])
  await station.publishSchedule(id, schedule())
  await station.publish(['catalogue.video.removed.v1', removed.id, { videoId: removed.id }])
  for (const videoId of [hidden.id, removed.id, randomUUID()]) {
    expect(await check(id, videoId)).toEqual({
      ...{ isActive: true, isOpen: true, airingId: `${id}.1.1`, video: null, forbidden: null },
    })
  }
  const headers = { 'x-internal-token': station.identity.internalToken }
  const path = `/internal/channels/nowhere/request-check?videoId=${song.id}`
  expect((await station.request('GET', path, undefined, { headers })).status).toBe(404)
  expect((await station.request('GET', path)).status).toBe(404)
})

test('the most important hard rule is named, with the time from which it allows the video', async () => {
  const [aired, sameArtist, other] = [
    video({ artistName: 'The Aired' }),
    video({ artistName: 'the aired' }),
    video({ artistName: 'Another' }),
  ]
  const id = await station.channelPlaying('Rules', [aired, other, video()])
  await station.addVideos([sameArtist])
  const startsAtMs = (await station.now(id)).programmes[0]!.startsAtMs
  await station.publishSchedule(
    id,
    schedule({
      artistSeparationMinutes: { value: 30, strength: 'hard' },
      videoSeparationHours: { value: 2, strength: 'soft' },
      excludedArtists: ['Another'],
    }),
  )
  await station.advance(4 * MINUTE_MS)
  const until = new Date(startsAtMs + 3 * MINUTE_MS + 30 * MINUTE_MS).toISOString()
  expect((await check(id, sameArtist.id)).forbidden).toEqual({ rule: 'artistSeparationMinutes', until })
  expect((await check(id, other.id)).forbidden).toEqual({ rule: 'excludedArtists', until: null })
})
