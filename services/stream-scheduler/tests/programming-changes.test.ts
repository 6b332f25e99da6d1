import type { Programme, VideoProgramme } from '@looptide/contracts/http/channels'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type GuardStub, startGuardStub } from './_guard-stub.ts'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

/** What is on the air when the programming of a channel changes counts as aired: it is not repeated. */

let station: TestScheduler
let guard: GuardStub
const videos = Array.from({ length: 24 }, (_, index) =>
  video({ title: `Song ${index}`, artistName: `Band ${index}`, durationMs: 3 * MINUTE_MS + index * 1000 }),
)

beforeAll(async () => {
  guard = await startGuardStub()
  station = await TestScheduler.start({ config: { adminAuditUrl: guard.url } })
})
afterEach(() => station.deleteChannels())
afterAll(async () => {
  await station.stop()
  guard.stop()
})

const documentOf = (rules: ScheduleDocument['rules'] = {}): ScheduleDocument => ({
  timeZone: 'UTC',
  defaultSource: 'list',
  sources: { list: { kind: 'playlist' } },
  rules,
})

/** Titles of the videos on the air and after it. */
async function titlesOf(id: string): Promise<string[]> {
  const path = `/api/channels/${id}/guide?hours=2&fromMs=${station.clock.nowMs}`
  const { programmes } = (await station.must('GET', path)) as { programmes: Programme[] }
  return programmes.filter((one): one is VideoProgramme => one.kind === 'video').map((one) => one.video.title)
}

describe('the video on the air is not repeated', () => {
  it('by the first schedule of a channel, whose preview shows the same', async () => {
    // With two videos, one of both changes follows the video with which the schedule begins.
    const two = videos.slice(0, 2)
    for (const id of [await station.channelPlaying('A', two), await station.channelPlaying('B', two)]) {
      const document = documentOf()
      const nowMs = station.clock.nowMs
      const { programmes } = await station.must('POST', `/api/channels/${id}/schedule/preview`, {
        document,
        from: new Date(nowMs).toISOString(),
        to: new Date(nowMs + HOUR_MS).toISOString(),
      })
      await station.publishSchedule(id, document)
      const titles = await titlesOf(id)
      expect(repeatsIn(titles)).toEqual([])
      expect(titles.slice(0, programmes.length)).toEqual(
        programmes.map(({ title }: { title: string }) => title),
      )
      await station.advance(3 * MINUTE_MS + 10_000)
    }
  })

  it('after a reset, also once the timeline was planned again', async () => {
    const id = await station.channelPlaying('Reset', videos)
    await station.publishSchedule(id, documentOf())
    await station.must('POST', `/api/channels/${id}/stream`, { action: 'reset' })
    await station.must('POST', `/api/channels/${id}/stream`, { action: 'reset' })
    const titles = await titlesOf(id)
    expect(repeatsIn(titles)).toEqual([])
    const added = video({ title: 'Added' })
    await station.addVideos([added])
    await station.advance(HOUR_MS, 10 * MINUTE_MS)
    expect(repeatsIn(await titlesOf(id))).toEqual([])
  })

  it('when a channel that was stopped goes on the air again', async () => {
    const id = await station.channelPlaying('Again', videos)
    await station.publishSchedule(id, documentOf())
    await station.advance(MINUTE_MS)
    await station.must('POST', `/api/channels/${id}/stream`, { action: 'stop' })
    await station.must('POST', `/api/channels/${id}/stream`, { action: 'start' })
    expect((await titlesOf(id))[0]).toBe('Song 1')
  })
})

it('a loop that was started again keeps its order when its playlist changes', async () => {
  const id = await station.channelPlaying('Loop', videos)
  await station.advance(4 * MINUTE_MS)
  await station.must('POST', `/api/channels/${id}/stream`, { action: 'start' })
  const before = await titlesOf(id)
  expect(before.slice(0, 3)).toEqual(['Song 1', 'Song 0', 'Song 1'])
  const added = video({ title: 'Added' })
  await station.addVideos([added])
  await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [added.id] })
  expect((await titlesOf(id)).slice(0, 3)).toEqual(['Song 1', 'Song 0', 'Song 1'])
})

it('the videos of a takeover count for the separation of videos when the schedule continues', async () => {
  const id = await station.channelPlaying('Takeover', videos)
  await station.publishSchedule(id, documentOf({ videoSeparationHours: { value: 1, strength: 'hard' } }))
  await station.advance(MINUTE_MS)
  const [onAir, next] = await titlesOf(id)
  const taken = videos.find(({ title }) => title === next)!
  const until = { until: 'content', returnPolicy: 'continue' }
  await station.must('POST', `/api/channels/${id}/takeover`, { videoIds: [taken.id], ...until })
  const titles = await titlesOf(id)
  expect(titles.slice(0, 3)).toEqual([onAir, next, onAir])
  expect(titles.slice(3, 8)).not.toContain(next)
  await station.advance(20 * MINUTE_MS, MINUTE_MS)
  const added = video({ title: 'Added' })
  await station.addVideos([added])
  const later = await titlesOf(id)
  expect(later.slice(0, 20)).toEqual(titles.slice(titles.indexOf(later[0]!, 3)).slice(0, 20))
})

/** Titles that follow themselves. */
const repeatsIn = (titles: readonly string[]): string[] =>
  titles.filter((title, index) => title === titles[index - 1])
