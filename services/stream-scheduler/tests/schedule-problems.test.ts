import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

async function withProblems(): Promise<number> {
  const text = await (await fetch(`${station.first.url}/metrics`)).text()
  return Number(/^looptide_schedules_with_problems\{.*\} (.+)$/m.exec(text)?.[1])
}

const future = async (channelId: string) =>
  (await station.must('GET', `/api/channels/${channelId}/guide?hours=26`)).programmes.filter(
    ({ startsAtMs }: { startsAtMs: number }) => startsAtMs > station.clock.nowMs + MINUTE_MS,
  )

describe('a published schedule that loses the videos of a source', () => {
  const gold = Array.from({ length: 3 }, () => video({ category: 'Classics' }))
  const document: ScheduleDocument = {
    timeZone: 'UTC',
    defaultSource: 'list',
    freezeMinutes: 0,
    sources: { list: { kind: 'playlist' }, gold: { kind: 'smart', where: { categories: ['Classics'] } } },
    blocks: [
      {
        id: 'gold',
        name: 'Gold',
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        from: '00:00',
        to: '24:00',
        source: 'gold',
      },
    ],
  }
  let id: string
  const path = () => `/api/channels/${id}/schedule`

  it('has none at first', async () => {
    id = await station.channelPlaying('Dry', [video(), video()])
    await station.addVideos(gold)
    await station.publishSchedule(id, document)
    expect(await station.must('GET', path())).toMatchObject({ version: 1, problems: [] })
    expect(await withProblems()).toBe(0)
  })

  it('plays its default source, and reports the problem', async () => {
    for (const { id: videoId } of gold)
      await station.publish(['catalogue.video.removed.v1', videoId, { videoId }])
    await station.settle()
    const sources = new Set(
      (await future(id)).map(({ reason }: { reason: { source: string } }) => reason.source),
    )
    expect(sources).toEqual(new Set(['list']))
    expect((await station.must('GET', path())).problems).toEqual([
      { path: '/sources/gold', message: 'No video of the library matches "gold".' },
    ])
    expect(await withProblems()).toBe(1)
  })

  it('plays the source again as soon as it has videos', async () => {
    await station.addVideos([video({ category: 'Classics' })])
    await station.settle()
    const [next] = await future(id)
    expect(next.reason.source).toBe('gold')
    expect((await station.must('GET', path())).problems).toEqual([])
    expect(await withProblems()).toBe(0)
  })
})
