import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LibraryCache } from '../src/schedule/library-cache.ts'
import { MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

const DOCUMENT: ScheduleDocument = {
  timeZone: 'UTC',
  freezeMinutes: 0,
  defaultSource: 'liked',
  sources: { liked: { kind: 'playlist', order: 'mostLiked' } },
}
const [few, many, none] = [video(), video(), video()]
const countsOf = (...counts: [id: string, likeCount: number, version: number][]) => ({
  videos: counts.map(([videoId, likeCount, version]) => ({ videoId, likeCount, version })),
})
const stored = async () => {
  const rows = await station.db.selectFrom('videos').select(['id', 'likeCount', 'version']).execute()
  return new Map(rows.map(({ id, likeCount, version }) => [id, [likeCount, version]]))
}

it('likes decide the order by likes, are no change of a video, and plan nothing again', async () => {
  const channel = await station.channelPlaying('Liked', [none, few, many])
  await station.publish(['audience.likes.changed.v1', few.id, countsOf([few.id, 2, 5], [many.id, 3, 5])])
  await station.publishSchedule(channel, DOCUMENT)
  await station.settle()
  const { programmes, timelineVersion } = await station.now(channel)
  expect(programmes.slice(1, 4).map((programme) => programme.video?.id)).toEqual([many.id, few.id, none.id])

  await station.publish(
    ['audience.likes.changed.v1', few.id, countsOf([few.id, 9, 6], [none.id, 1, 6])],
    ['audience.likes.changed.v1', few.id, countsOf([few.id, 4, 4])],
    ['catalogue.video.updated.v1', many.id, { video: { ...many, likeCount: 0 } }],
  )
  expect(await stored()).toEqual(
    new Map([
      [few.id, [9, 1]],
      [many.id, [3, 1]],
      [none.id, [1, 1]],
    ]),
  )
  expect((await station.now(channel)).timelineVersion).toBe(timelineVersion)
})

it('the library in memory has likes that are at most ten minutes old, with the same checksum', async () => {
  let nowMs = 0
  const cache = new LibraryCache(() => nowMs)
  const likes = async () => {
    const { checksum, videos } = await cache.read(station.db)
    return { checksum, likes: videos.find(({ id }) => id === few.id)?.likes }
  }
  const before = await likes()
  await station.publish(['audience.likes.changed.v1', few.id, countsOf([few.id, 20, 7])])
  expect(await likes()).toEqual(before)
  nowMs += 10 * MINUTE_MS
  expect(await likes()).toEqual({ ...before, likes: 20 })
})
