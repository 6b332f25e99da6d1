import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
const events: { type: string; data: unknown }[] = []
beforeAll(async () => {
  station = await TestScheduler.start()
  for (const type of ['stream.video.quarantined.v1', 'stream.duration.learned.v1'] as const) {
    await station.listen(type, ({ data }) => events.push({ type, data }))
  }
})
afterEach(() => station.deleteChannels())
afterAll(() => station.stop())
beforeEach(() => {
  events.length = 0
})

let ids = 0
const youtube = (durationMs = 3 * MINUTE_MS) => {
  ids += 1
  return video({
    youtubeId: `abcdefgh${String(ids).padStart(3, '0')}`,
    videoUrl: 'https://www.youtube.com/embed/x',
    durationMs,
  })
}
/** Sends the report of a visitor with this IP address, as the gateway forwards it. */
const report = async (channelId: string, from: string, body: object) =>
  station.request('POST', `/api/channels/${channelId}/reports`, body, {
    headers: { 'x-forwarded-for': from },
  })
const [FIRST, SECOND, THIRD, FOURTH] = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'] as const

test('error reports of three viewers quarantine a video once, and an admin can release it', async () => {
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

test('a video stays in quarantine when the channel of the reports is deleted', async () => {
  const bad = youtube()
  const id = await station.channelPlaying('Short-lived', [bad, youtube()])
  for (const from of [FIRST, SECOND, THIRD]) await report(id, from, { videoId: bad.id, errorCode: 150 })
  await station.must('DELETE', `/api/channels/${id}`)
  const { items } = await station.must('GET', '/api/channels/quarantine')
  expect(items).toMatchObject([{ videoId: bad.id, channelId: null }])
  await station.must('DELETE', `/api/channels/quarantine/${bad.id}`)
})

test('a video in quarantine can be replaced in all playlists', async () => {
  const [bad, good, better] = [youtube(), youtube(), youtube()]
  await station.addVideos([better])
  const id = await station.channelPlaying('Repaired', [good, bad, good])
  const replace = (replacementId: string, person = station.admin) =>
    station.request('POST', `/api/channels/quarantine/${bad.id}/replacement`, { replacementId }, person)
  expect((await replace(better.id)).status).toBe(404)
  for (const from of [FIRST, SECOND, THIRD]) await report(id, from, { videoId: bad.id, errorCode: 150 })
  expect((await replace(better.id, station.user)).status).toBe(403)
  expect((await replace(bad.id)).status).toBe(422)
  expect((await replace('00000000-0000-4000-8000-000000000000')).status).toBe(404)
  expect((await replace(better.id)).body).toEqual({ count: 1 })
  await station.settle()
  const { items } = await station.must('GET', `/api/channels/${id}/playlist`)
  expect(items.map((item: { videoId: string }) => item.videoId)).toEqual([good.id, better.id, good.id])
  await station.advance(3000)
  expect((await station.now(id)).programmes.map((p) => p.videoId)).toContain(better.id)
})

test('errors that the video does not cause do not count', async () => {
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

/** IP addresses of different networks. */
const ipsOfNetworks = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `198.51.100.${from + index}`)
/** Releases all videos, so that the next test starts below the limit of quarantines. */
async function releaseAll(): Promise<void> {
  const { items } = await station.must('GET', '/api/channels/quarantine')
  for (const { videoId } of items) await station.must('DELETE', `/api/channels/quarantine/${videoId}`)
}

/** Eleven channels on the air, each with a video of its own. Long videos are planned and aired in a fraction of the time. */
async function startElevenChannels(name: string): Promise<{ channel: string; videoId: string }[]> {
  const channels: { channel: string; videoId: string }[] = []
  for (let index = 0; index < 11; index += 1) {
    const one = youtube(20 * MINUTE_MS)
    channels.push({
      channel: await station.channelPlaying(`${name} ${index}`, [one, youtube(20 * MINUTE_MS)]),
      videoId: one.id,
    })
  }
  return channels
}

test('error reports of one viewer count for ten videos a day', async () => {
  await releaseAll()
  const decisions: boolean[] = []
  const channels = await startElevenChannels('Reported')
  const reportAs = async ({ channel, videoId }: { channel: string; videoId: string }) =>
    (await report(channel, '203.0.113.7', { videoId, errorCode: 150 })).body.accepted
  for (const target of channels) decisions.push(await reportAs(target))
  expect(decisions).toEqual([...Array(10).fill(true), false])
  // A repeated report is not another video, and the limit ends after a day.
  expect(await reportAs(channels[0]!)).toBe(true)
  await station.advance(25 * HOUR_MS)
  const { channel, videoId } = channels[10]!
  const last = await report(channel, '203.0.113.7', { videoId, errorCode: 150 })
  expect([last.status, last.body]).toEqual([202, { accepted: true }])
})

test('all addresses of an IPv6 /48 count as one viewer', async () => {
  await releaseAll()
  const bad = youtube()
  const id = await station.channelPlaying('Crowded', [bad, youtube()])
  for (const host of ['2001:db8:7:1::1', '2001:db8:7:2::1', '2001:db8:7:3::1', '2001:db8:7:4::1']) {
    await report(id, host, { videoId: bad.id, errorCode: 150 })
  }
  await station.settle()
  expect(events).toEqual([])
})

test('viewers can quarantine ten videos an hour; further reports are stored and count later', async () => {
  await releaseAll()
  const channels = await startElevenChannels('Flooded')
  const reportError = (index: number, from: string) =>
    report(channels[index]!.channel, from, { videoId: channels[index]!.videoId, errorCode: 150 })
  for (const index of channels.keys()) {
    for (const from of ipsOfNetworks(10 + 3 * index, 3)) {
      expect((await reportError(index, from)).body).toEqual({ accepted: true })
    }
  }
  await station.settle()
  expect(events).toHaveLength(10)
  await station.advance(HOUR_MS + 1000)
  await reportError(10, '198.51.100.9')
  await station.settle()
  expect(events).toHaveLength(11)
})

test('errors reported more than a day ago do not count', async () => {
  const a = youtube()
  const id = await station.channelPlaying('Yesterday', [a])
  for (const from of [FIRST, SECOND]) await report(id, from, { videoId: a.id, errorCode: 150 })
  await station.advance(25 * HOUR_MS)
  await report(id, THIRD, { videoId: a.id, errorCode: 150 })
  await station.settle()
  expect(events).toEqual([])
})

/** Starts a channel with a video whose duration is assumed. */
async function channelWithAssumedDuration(name: string): Promise<{ id: string; videoId: string }> {
  const one = { ...youtube(), durationAssumed: true, durationMs: 240_000, duration: '4:00' }
  return { id: await station.channelPlaying(name, [one]), videoId: one.id }
}
const learnedDurations = () => events.map(({ data }) => (data as { durationMs: number }).durationMs)

test('accounts and visitors of two networks cannot set a duration', async () => {
  const { id, videoId } = await channelWithAssumedDuration('Lured')
  const body = { videoId, durationMs: 203_400 }
  for (const account of [station.user, station.admin]) {
    await station.must('POST', `/api/channels/${id}/reports`, body, account)
  }
  for (const from of [FIRST, FIRST]) await report(id, from, body)
  await station.settle()
  expect(learnedDurations()).toEqual([])
})

test('viewers cannot set a duration above twenty minutes', async () => {
  const { id, videoId } = await channelWithAssumedDuration('Endless')
  for (const durationMs of [43_200_000, 1_200_001]) {
    for (const from of ipsOfNetworks(1, 5)) {
      const { body } = await report(id, from, { videoId, durationMs })
      expect(body).toEqual({ accepted: false })
    }
  }
  await station.settle()
  expect(events).toEqual([])
})

test('three networks that agree within a second set a duration unless half of all networks disagree', async () => {
  const { id, videoId } = await channelWithAssumedDuration('Measured')
  const reportDuration = (from: string, durationMs: number) => report(id, from, { videoId, durationMs })
  for (const [index, from] of ipsOfNetworks(20, 3).entries())
    await reportDuration(from, 100_000 + 5000 * index)
  for (const [index, from] of ipsOfNetworks(30, 3).entries())
    await reportDuration(from, 203_000 + 400 * index)
  await station.settle()
  expect(learnedDurations()).toEqual([])
  await reportDuration('198.51.100.40', 203_500)
  await station.settle()
  expect(learnedDurations()).toEqual([203_500])
})

test('a later majority corrects a duration set by viewers', async () => {
  const { id, videoId } = await channelWithAssumedDuration('Corrected')
  for (const from of ipsOfNetworks(50, 3)) await report(id, from, { videoId, durationMs: 60_000 })
  for (const from of ipsOfNetworks(60, 3)) await report(id, from, { videoId, durationMs: 203_000 })
  await station.settle()
  expect(new Set(learnedDurations())).toEqual(new Set([60_000]))
  await report(id, '198.51.100.70', { videoId, durationMs: 203_000 })
  await station.settle()
  expect(learnedDurations().at(-1)).toBe(203_000)
})

test('many accounts in three networks cannot displace the reports of other networks', async () => {
  const { id, videoId } = await channelWithAssumedDuration('Outnumbered')
  for (const from of ipsOfNetworks(80, 4)) await report(id, from, { videoId, durationMs: 203_000 })
  await station.settle()
  expect(new Set(learnedDurations())).toEqual(new Set([203_000]))
  for (const [index, from] of Array(20).fill(ipsOfNetworks(90, 3)).flat().entries()) {
    const { headers } = await station.identity.createUser()
    const body = { videoId, durationMs: 60_000 + index }
    await station.must('POST', `/api/channels/${id}/reports`, body, {
      headers: { ...headers, 'x-forwarded-for': from },
    })
  }
  await station.settle()
  expect(new Set(learnedDurations())).toEqual(new Set([203_000]))
  const kept = await station.db
    .selectFrom('playbackReports')
    .select('durationMs')
    .where('videoId', '=', videoId)
    .orderBy('durationMs')
    .execute()
  const latest = [60_057, 60_058, 60_059]
  expect(kept.map(({ durationMs }) => durationMs)).toEqual([...latest, ...Array(4).fill(203_000)])
})
