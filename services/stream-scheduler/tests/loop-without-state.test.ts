import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

const upcoming = async (id: string) => (await station.now(id)).programmes.map(({ videoId }) => videoId)

/** Earlier releases stored no planner's state for a channel without a schedule. */
const forgetState = (id: string) =>
  station.db.deleteFrom('scheduleStates').where('channelId', '=', id).execute()

test('a loop without a stored state continues after the programme on the air, and is extended', async () => {
  const videos = [video(), video(), video(), video()]
  const [a, b, c, d] = videos.map(({ id }) => id)
  const id = await station.channelPlaying('Upgraded', videos)
  await station.advance(4 * MINUTE_MS)
  await forgetState(id)
  const added = video()
  await station.addVideos([added])
  await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [added.id] })
  expect((await upcoming(id)).slice(0, 6)).toEqual([b, c, d, added.id, a, b])
  await forgetState(id)
  await station.advance(3 * HOUR_MS, 20 * MINUTE_MS)
  const { programmes } = await station.must('GET', `/api/channels/${id}/guide?hours=26`)
  const cycle = [a, b, c, d, added.id]
  const first = cycle.indexOf(programmes[0].videoId)
  expect(programmes.map(({ videoId }: { videoId: string }) => videoId)).toEqual(
    programmes.map((_: unknown, index: number) => cycle[(first + index) % cycle.length]),
  )
})

test('a shuffled loop without a stored state keeps its programme and separates artists', async () => {
  const videos = Array.from({ length: 8 }, (_, index) => video({ artistName: `Band ${index % 4}` }))
  const id = await station.channelPlaying('Shuffled', videos)
  await station.must('PATCH', `/api/channels/${id}`, { shuffleEnabled: true })
  await station.advance(4 * MINUTE_MS)
  const [onAir] = await upcoming(id)
  await forgetState(id)
  const added = video({ artistName: 'Band 5' })
  await station.addVideos([added])
  await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [added.id] })
  const { programmes } = await station.now(id)
  expect(programmes[0]?.videoId).toBe(onAir)
  const bands = programmes.map((programme) => programme.video?.artistName)
  expect(bands.filter((band, index) => index > 0 && band === bands[index - 1])).toEqual([])
})
