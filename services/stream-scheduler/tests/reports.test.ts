import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR_MS, TestScheduler, video } from './_util.ts'

let station: TestScheduler
const events: { type: string; data: unknown }[] = []
beforeAll(async () => {
  station = await TestScheduler.start()
  for (const type of ['stream.video.quarantined.v1', 'stream.duration.learned.v1'] as const) {
    await station.listen(type, ({ data }) => events.push({ type, data }))
  }
})
afterAll(() => station.stop())
beforeEach(() => {
  events.length = 0
})

let ids = 0
const youtube = () => {
  ids += 1
  return video({
    youtubeId: `abcdefgh${String(ids).padStart(3, '0')}`,
    videoUrl: 'https://www.youtube.com/embed/x',
  })
}
/** A report of the visitor behind this address, told as the gateway passes it on. */
const report = async (channelId: string, from: string, body: object) =>
  station.request('POST', `/api/channels/${channelId}/reports`, body, {
    headers: { 'x-forwarded-for': from },
  })
const [FIRST, SECOND, THIRD, FOURTH] = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'] as const

test('three viewers who cannot play a video take it off the air, once; an admin lets it back', async () => {
  const [bad, good] = [youtube(), youtube()]
  const id = await station.channelPlaying('Broken', [bad, good])
  const onAir = (await station.now(id)).programmes[0]!
  for (const from of [FIRST, FIRST, SECOND, SECOND, `${THIRD}, ${SECOND}`]) {
    const answer = await report(id, from, { videoId: bad.id, errorCode: 150 })
    expect(answer).toMatchObject({ status: 202, body: { accepted: true } })
  }
  await station.settle()
  expect((await station.now(id)).programmes.some((p, index) => index > 0 && p.videoId === bad.id)).toBe(true)
  await report(id, THIRD, { videoId: bad.id, errorCode: 101 })
  await report(id, FOURTH, { videoId: bad.id, errorCode: 101 })
  await station.settle()
  const now = await station.now(id)
  expect(now.programmes[0]).toEqual(onAir)
  expect(new Set(now.programmes.slice(1).map((p) => p.videoId))).toEqual(new Set([good.id]))
  const data = { videoId: bad.id, channelId: id, reason: 'player error 101' }
  expect(events).toEqual([{ type: 'stream.video.quarantined.v1', data }])

  const { items } = await station.must('GET', '/api/channels/quarantine')
  expect(items).toMatchObject([{ videoId: bad.id, channelId: id, reason: 'player error 101', reports: 3 }])
  expect(Date.parse(items[0].lastReportedAt)).toBe(station.clock.nowMs)
  expect((await station.request('DELETE', `/api/channels/quarantine/${bad.id}`)).status).toBe(204)
  expect((await station.request('DELETE', `/api/channels/quarantine/${bad.id}`)).status).toBe(404)
  await station.settle()
  expect((await station.now(id)).programmes.slice(1).map((p) => p.videoId)).toContain(bad.id)
})

test('another video takes the places of one in quarantine', async () => {
  const [bad, good, better] = [youtube(), youtube(), youtube()]
  await station.addVideos([better])
  const id = await station.channelPlaying('Mended', [good, bad, good])
  const replace = (replacementId: string, person = station.admin) =>
    station.request('POST', `/api/channels/quarantine/${bad.id}/replacement`, { replacementId }, person)
  expect((await replace(better.id)).status).toBe(404)
  for (const from of [FIRST, SECOND, THIRD]) await report(id, from, { videoId: bad.id, errorCode: 150 })
  expect((await replace(better.id, station.user)).status).toBe(403)
  expect((await replace(bad.id)).status).toBe(422)
  expect((await replace('00000000-0000-4000-8000-000000000000')).status).toBe(404)
  expect((await replace(better.id)).body).toEqual({ places: 1 })
  await station.settle()
  const { items } = await station.must('GET', `/api/channels/${id}/playlist`)
  expect(items.map((item: { videoId: string }) => item.videoId)).toEqual([good.id, better.id, good.id])
  await station.advance(3000)
  expect((await station.now(id)).programmes.map((p) => p.videoId)).toContain(better.id)
})

test('reports that say nothing of the video do not count', async () => {
  const [a, clip] = [youtube(), video()]
  const id = await station.channelPlaying('Innocent', [a, clip])
  const notOn = youtube()
  await station.addVideos([notOn])
  const cases = [
    { videoId: a.id, errorCode: 153 },
    { videoId: clip.id, errorCode: 4 },
    { videoId: notOn.id, errorCode: 150 },
    { videoId: a.id, durationMs: 200_000 },
  ]
  for (const body of cases) {
    expect((await report(id, FIRST, body)).body).toEqual({ accepted: false })
  }
  const bad = await report(id, FIRST, { videoId: a.id })
  expect(bad).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
})

test('errors that were reported more than a day ago do not count', async () => {
  const a = youtube()
  const id = await station.channelPlaying('Yesterday', [a])
  for (const from of [FIRST, SECOND]) await report(id, from, { videoId: a.id, errorCode: 150 })
  await station.advance(25 * HOUR_MS)
  await report(id, THIRD, { videoId: a.id, errorCode: 150 })
  await station.settle()
  expect(events).toEqual([])
})

test('two viewers who agree on the length of a video whose length was assumed are believed', async () => {
  const a = { ...youtube(), durationAssumed: true, durationMs: 240_000, duration: '4:00' }
  const id = await station.channelPlaying('Measured', [a])
  await report(id, FIRST, { videoId: a.id, durationMs: 203_400 })
  await report(id, FIRST, { videoId: a.id, durationMs: 203_400 })
  await report(id, SECOND, { videoId: a.id, durationMs: 183_000 })
  await station.settle()
  expect(events).toEqual([])
  const body = { videoId: a.id, durationMs: 203_600 }
  await station.must('POST', `/api/channels/${id}/reports`, body, station.user)
  await station.settle()
  const data = { videoId: a.id, durationMs: 203_500 }
  expect(events).toEqual([{ type: 'stream.duration.learned.v1', data }])
})
