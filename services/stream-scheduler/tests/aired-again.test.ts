import type { AirLogEntry } from '@looptide/contracts/http/channels'
import type { SchedulePreview } from '@looptide/contracts/http/schedules'
import type { RepeatedAiring, ScheduleDocument } from '@looptide/contracts/schedule'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

const videos = Array.from({ length: 6 }, (_, index) =>
  video({ title: `Song ${index}`, artistName: 'Band', durationMs: 5 * MINUTE_MS }),
)
const eveningId = (place: number) => `00000000-0000-4000-8000-00000000000${place}`

let station: TestScheduler
let id: string
let eveningMs: number
let startMs: number
beforeAll(async () => {
  station = await TestScheduler.start()
  station.clock.nowMs = Math.ceil(station.clock.nowMs / HOUR_MS) * HOUR_MS
  eveningMs = station.clock.nowMs - 24 * HOUR_MS
  startMs = station.clock.nowMs + HOUR_MS
  id = await station.channelPlaying('Evenings', videos)
})
afterAll(() => station.stop())

/** The evening: the first four videos, the first one twice. */
const airings = (): RepeatedAiring[] =>
  [0, 1, 2, 0, 3].map((index, place) => ({
    ...{ id: eveningId(place), videoId: videos[index]!.id },
    startedAtMs: eveningMs + place * 5 * MINUTE_MS,
    endedAtMs: eveningMs + (place + 1) * 5 * MINUTE_MS,
  }))

const schedule = (given: RepeatedAiring[] = airings()): ScheduleDocument => ({
  timeZone: 'UTC',
  freezeMinutes: 0,
  defaultSource: 'list',
  sources: { list: { kind: 'playlist' }, evening: { kind: 'airings', channelId: id, airings: given } },
  specials: [
    {
      ...{ id: 'again', name: 'Again', source: 'evening', start: 'hard', durationMs: 25 * MINUTE_MS },
      at: new Date(startMs).toISOString().slice(0, 16),
    },
  ],
})

/** What the special airs, as the preview of the schedule says it. */
async function preview(document: ScheduleDocument): Promise<SchedulePreview> {
  const body = {
    document,
    from: new Date(startMs).toISOString(),
    to: new Date(startMs + 25 * MINUTE_MS).toISOString(),
  }
  return await station.must('POST', `/api/channels/${id}/schedule/preview`, body, station.programmer)
}
const titles = ({ programmes }: SchedulePreview) => programmes.map(({ title }) => title)

it('plans the evening in its order, each programme once', async () => {
  const planned = await preview(schedule())
  expect(planned.problems).toEqual([])
  expect(titles(planned)).toEqual(['Song 0', 'Song 1', 'Song 2', 'Song 0', 'Song 3'])
})

it.each([
  ['no programmes', []],
  ['more than 400 programmes', Array.from({ length: 401 }, () => airings()[0])],
  ['an instant before 1970', [{ ...airingAt(0), startedAtMs: -1 }]],
])('refuses an evening with %s, and changes nothing', async (_what, given) => {
  const document = schedule(given as RepeatedAiring[])
  const path = `/api/channels/${id}/schedule/draft`
  const refused = await station.request('PUT', path, document, station.programmer)
  expect(refused.status).toBe(400)
  expect(await station.must('GET', path)).toMatchObject({ document: null })
})

function airingAt(place: number): RepeatedAiring {
  return { id: eveningId(place), videoId: eveningId(place), startedAtMs: 0, endedAtMs: 1 }
}

it('names an evening of which no video can be played', async () => {
  const { problems } = await preview(schedule([airingAt(1)]))
  expect(problems).toEqual([
    { path: '/sources/evening', message: 'No video of "evening" can be played any longer.' },
  ])
})

it('says on the air and in the air log which programme of the evening is aired again, after a video has died', async () => {
  await station.publishSchedule(id, schedule())
  await station.publish(['catalogue.video.removed.v1', videos[1]!.id, { videoId: videos[1]!.id }])
  await station.advance(HOUR_MS + 6 * MINUTE_MS, 5 * MINUTE_MS)
  const [onAir] = (await station.now(id)).programmes
  expect(onAir?.kind === 'video' && [onAir.video.title, onAir.reason?.again]).toEqual([
    'Song 2',
    { channelId: id, startedAtMs: eveningMs + 10 * MINUTE_MS, endedAtMs: eveningMs + 15 * MINUTE_MS },
  ])
  const { items }: { items: AirLogEntry[] } = await station.must('GET', `/api/channels/${id}/air-log?limit=2`)
  expect(items.map(({ reason }) => reason?.again?.startedAtMs)).toContain(eveningMs)
})
