import type { NowState, ProgrammeVideo } from '@looptide/contracts/http/channels'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

const lasting = (seconds: number, fields: Parameters<typeof video>[0] = {}) =>
  video({ durationMs: seconds * 1000, ...fields })
const request = (channelId: string, programmeId: string) =>
  station.request('GET', `/api/channels/${channelId}/programmes/${programmeId}/substitutes`, undefined, null)
const onAir = async (channelId: string): Promise<NowState['programmes'][number]> =>
  (await station.now(channelId)).programmes[0]!
async function substitutes(channelId: string): Promise<ProgrammeVideo[]> {
  const { status, body } = await request(channelId, (await onAir(channelId)).id)
  expect(status).toBe(200)
  return body.substitutes
}
const idsOf = (videos: readonly { id: string }[]) => videos.map(({ id }) => id)

test('the substitutes are the playlist’s videos of the most similar length, and the timeline stays', async () => {
  const replaced = lasting(200)
  const [similar, longer, long, nearby] = [lasting(203), lasting(230), lasting(400), lasting(200)]
  // The played part counts: 205 s of 300 s.
  const trimmed = lasting(300, { startAtMs: 95_000 })
  const id = await station.channelPlaying('Loop', [
    replaced,
    nearby,
    nearby,
    long,
    longer,
    trimmed,
    similar,
    long,
    nearby,
  ])
  await station.addVideos([lasting(200)])
  const before = await station.now(id)
  const found = await substitutes(id)
  expect(idsOf(found)).toEqual(idsOf([similar, trimmed, longer]))
  expect(found[1]).toMatchObject({ startAtMs: 95_000, durationMs: 205_000, mediaDurationMs: 300_000 })
  expect(await substitutes(id)).toEqual(found)
  expect(await station.now(id)).toEqual(before)
})

test('videos that are off the air or fail for two viewers are no substitutes', async () => {
  const [replaced, failing, good] = [
    lasting(180),
    video({ youtubeId: 'substitute1', videoUrl: 'https://www.youtube.com/embed/x' }),
    lasting(190),
  ]
  const id = await station.channelPlaying('Failing', [replaced, failing, good])
  expect(idsOf(await substitutes(id))).toEqual(idsOf([failing, good]))
  for (const from of ['203.0.113.1', '203.0.113.2']) {
    const headers = { 'x-forwarded-for': from }
    const report = { videoId: failing.id, errorCode: 150 }
    await station.request('POST', `/api/channels/${id}/reports`, report, { headers })
  }
  await station.advance(MINUTE_MS)
  expect(idsOf(await substitutes(id))).toEqual([good.id])
  await station.publish(['catalogue.video.removed.v1', good.id, { videoId: good.id }])
  expect(await substitutes(id)).toEqual([])
})

test('a scheduled programme is replaced from its own source, as the rules of the schedule allow', async () => {
  const length = 4
  const gold = Array.from({ length }, (_, n) => lasting(180 + n, { tags: ['gold'] }))
  const banned = lasting(180, { tags: ['gold'], artistName: 'Banned' })
  const explicit = lasting(180, { tags: ['gold', 'explicit'] })
  const others = Array.from({ length }, () => lasting(180))
  const id = await station.channelPlaying('Scheduled', others)
  await station.addVideos([...gold, banned, explicit])
  const hour = (offset: number) =>
    new Date(station.clock.nowMs + offset * HOUR_MS).toISOString().slice(11, 13)
  await station.publishSchedule(id, {
    timeZone: 'UTC',
    freezeMinutes: 0,
    defaultSource: 'gold',
    sources: { gold: { kind: 'smart', where: { tags: ['gold'] } }, list: { kind: 'playlist' } },
    rules: {
      excludedArtists: ['Banned'],
      tagWindows: [{ tag: 'explicit', from: `${hour(5)}:00`, to: `${hour(6)}:00` }],
    },
  })
  await station.advance(4 * MINUTE_MS)
  const programme = await onAir(id)
  expect(idsOf(gold)).toContain(programme.videoId)
  const expected = idsOf(gold).filter((videoId) => videoId !== programme.videoId)
  expect(idsOf(await substitutes(id)).toSorted()).toEqual(expected.toSorted())
})

test('unknown, past and distant programmes have no substitutes', async () => {
  const id = await station.channelPlaying('Bounded', [lasting(180), lasting(181)])
  const { programmes } = await station.now(id)
  for (const programmeId of [`${id}.999999.1`, programmes.at(-1)!.id, `other.${programmes[0]!.seq}.1`]) {
    expect(await request(id, programmeId)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
  expect(await request('nowhere', programmes[0]!.id)).toMatchObject({ status: 404 })
  for (const hostile of ['x', '%00', "a.1.1'--", `a.${'9'.repeat(16)}.1`, '..%2f..', 'a.-1.1']) {
    const { status } = await request(id, hostile)
    expect([400, 404]).toContain(status)
  }
})

test('an answer is cached by its ETag', async () => {
  const id = await station.channelPlaying('Cached', [lasting(180), lasting(181)])
  const { id: programmeId } = await onAir(id)
  const first = await request(id, programmeId)
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  const path = `/api/channels/${id}/programmes/${programmeId}/substitutes`
  expect(await station.request('GET', path, undefined, { headers })).toMatchObject({ status: 304 })
})
