import { newId } from '@looptide/service-kit/db/ids'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

let ids = 0
const youtube = () => {
  ids += 1
  return video({
    youtubeId: `problem_${String(ids).padStart(3, '0')}`,
    videoUrl: 'https://www.youtube.com/embed/x',
  })
}
let visitors = 0
/** Sends the report of a new visitor. */
const report = (channelId: string, body: object) => {
  visitors += 1
  const headers = { 'x-forwarded-for': `198.51.${Math.floor(visitors / 250)}.${(visitors % 250) + 1}` }
  return station.request('POST', `/api/channels/${channelId}/reports`, body, { headers })
}
const problems = async (query = '') => station.must('GET', `/api/channels/playback-problems${query}`)

test('admins see in which countries a video does not play, and with which errors', async () => {
  const [barred, removed] = [youtube(), youtube()]
  const id = await station.channelPlaying('Abroad', [barred, removed])
  expect(await problems()).toEqual({ items: [], nextCursor: null })
  await report(id, { videoId: barred.id, errorCode: 101, timeZone: 'Europe/Berlin' })
  await report(id, { videoId: removed.id, errorCode: 100, timeZone: 'Mars/Olympus' })
  station.clock.advance(1000)
  await report(id, { videoId: barred.id, errorCode: 150, timeZone: 'Europe/Vienna' })
  const { items } = await problems()
  expect(items).toMatchObject([
    {
      video: { id: barred.id },
      lastReportedAt: new Date(station.clock.nowMs).toISOString(),
      countries: [
        { country: 'AT', viewers: 1, errorCodes: [150] },
        { country: 'DE', viewers: 1, errorCodes: [101] },
      ],
    },
    {
      video: { id: removed.id },
      countries: [{ country: null, viewers: 1, errorCodes: [100] }],
    },
  ])
  const first = await problems('?limit=1')
  const second = await problems(`?limit=1&cursor=${encodeURIComponent(first.nextCursor)}`)
  expect([...first.items, ...second.items]).toEqual(items)
  expect(second.nextCursor).toBeNull()

  // A video that is barred in two countries stays on the air for any number of viewers there.
  for (const timeZone of ['Europe/Berlin', 'Europe/Berlin', 'Europe/Vienna', 'Europe/Busingen']) {
    await report(id, { videoId: barred.id, errorCode: 150, timeZone })
  }
  expect((await station.must('GET', '/api/channels/quarantine')).items).toEqual([])
  await report(id, { videoId: barred.id, errorCode: 150, timeZone: 'Europe/Paris' })
  expect((await problems()).items).toMatchObject([{ video: { id: removed.id } }])
  const quarantined = await station.must('GET', '/api/channels/quarantine')
  expect(quarantined.items[0].countries).toEqual([
    { country: 'DE', viewers: 4, errorCodes: [101, 150] },
    { country: 'AT', viewers: 2, errorCodes: [150] },
    { country: 'FR', viewers: 1, errorCodes: [150] },
  ])
})

test('of the time zone, only the country is stored', async () => {
  const bad = youtube()
  const id = await station.channelPlaying('Private', [bad, youtube()])
  await report(id, { videoId: bad.id, errorCode: 150, timeZone: 'America/Argentina/Ushuaia' })
  const rows = await station.db
    .selectFrom('playbackReports')
    .selectAll()
    .where('videoId', '=', bad.id)
    .execute()
  expect(rows).toMatchObject([{ country: 'AR', errorCode: 150 }])
  expect(JSON.stringify(rows)).not.toContain('Ushuaia')
})

test('the list is for admins; a report with another time zone than a text is refused', async () => {
  const path = '/api/channels/playback-problems'
  expect((await station.request('GET', path, undefined, null)).status).toBe(401)
  expect((await station.request('GET', path, undefined, station.user)).status).toBe(403)
  for (const timeZone of [7, {}, 'x'.repeat(65)]) {
    const body = { videoId: newId(), errorCode: 150, timeZone }
    expect((await report('default', body)).body).toMatchObject({ code: 'validation_failed' })
  }
})
