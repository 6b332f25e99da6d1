import type { Programme, VideoProgramme } from '@looptide/contracts/http/channels'
import type { PastTakeover } from '@looptide/contracts/http/takeovers'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GuardStub, startGuardStub } from './_guard-stub.ts'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
let guard: GuardStub
let id: string
const playlist = Array.from({ length: 10 }, (_, index) =>
  video({ title: `List ${index}`, artistName: `Band ${index}`, durationMs: 4 * MINUTE_MS + index * 1000 }),
)
const special = video({ title: 'Breaking', durationMs: 90_000 })
const second = video({ title: 'Encore', durationMs: 60_000 })
const stream = video({
  title: 'Festival',
  videoUrl: 'https://media.example/live.m3u8',
  durationMs: 5 * MINUTE_MS,
})
let count = 0

const documentOf = (order: 'playlist' | 'shuffle' = 'shuffle'): ScheduleDocument => ({
  timeZone: 'UTC',
  defaultSource: 'list',
  sources: { list: { kind: 'playlist', order } },
})

const publish = (document: ScheduleDocument): Promise<void> => station.publishSchedule(id, document)

beforeAll(async () => {
  guard = await startGuardStub()
  station = await TestScheduler.start({ config: { adminAuditUrl: guard.url } })
  await station.addVideos([special, second, stream])
})
afterEach(() => station.deleteChannels())
afterAll(async () => {
  await station.stop()
  guard.stop()
})

const path = () => `/api/channels/${id}/takeover`
const start = (body: object = {}) =>
  station.request('POST', path(), {
    videoIds: [special.id],
    until: 'content',
    returnPolicy: 'join',
    ...body,
  })

const takeoversIn = async (fromMs: number, toMs: number): Promise<PastTakeover[]> =>
  (await station.must('GET', `${path()}s?fromMs=${fromMs}&toMs=${toMs}`)).items

/** The programmes on the air from an instant on, until the end of the timeline. */
async function guideFrom(fromMs = station.clock.nowMs): Promise<VideoProgramme[]> {
  const { programmes } = await station.must('GET', `/api/channels/${id}/guide?hours=26&fromMs=${fromMs}`)
  return programmes.filter((one: Programme): one is VideoProgramme => one.kind === 'video')
}

/** The content of a programme: its video, the position in it at an instant, and its end. */
const shows = (one: VideoProgramme, atMs: number) => ({
  videoId: one.videoId,
  positionMs: one.video.startAtMs + Math.max(atMs - one.startsAtMs, 0),
  endsAtMs: one.endsAtMs,
})

/** Expects that `after` shows from `fromMs` on what `before` has announced, as far as both reach. Returns how many programmes. */
function expectSameFrom(
  fromMs: number,
  before: readonly VideoProgramme[],
  after: readonly VideoProgramme[],
): number {
  const expected = before.filter(({ endsAtMs }) => endsAtMs > fromMs)
  const returned = after.filter(({ startsAtMs }) => startsAtMs >= fromMs)
  const length = Math.min(expected.length, returned.length)
  const shown = (programmes: readonly VideoProgramme[]) =>
    programmes.slice(0, length).map((one) => shows(one, fromMs))
  expect(shown(returned)).toEqual(shown(expected))
  return length
}

function expectNoGaps(programmes: readonly VideoProgramme[]): void {
  const gaps = programmes.filter(
    (one, index) => index > 0 && programmes[index - 1]?.endsAtMs !== one.startsAtMs,
  )
  expect(gaps).toEqual([])
}

describe.each(['a playlist in order', 'a shuffled playlist', 'a schedule'])('a takeover of %s', (kind) => {
  beforeEach(async () => {
    count += 1
    id = await station.channelPlaying(`Channel ${count}`, playlist)
    if (kind === 'a shuffled playlist') {
      await station.must('PATCH', `/api/channels/${id}`, { shuffleEnabled: true })
    }
    if (kind === 'a schedule') await publish(documentOf())
    await station.advance(47 * MINUTE_MS, 10 * MINUTE_MS)
  })

  it('cuts short what is on the air, plays its videos and joins what would be on in progress', async () => {
    const before = await guideFrom()
    const nowMs = station.clock.nowMs
    const { status, body } = await start({ videoIds: [special.id, second.id], title: 'News' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ title: 'News', endsAtMs: body.startsAtMs + 150_000, isLive: false })
    const after = await guideFrom()
    expectNoGaps(after)
    expect(after.slice(1, 3)).toMatchObject([
      { videoId: special.id, startsAtMs: body.startsAtMs, block: { id: 'takeover', name: 'News' } },
      { videoId: second.id, endsAtMs: body.endsAtMs },
    ])
    expect(body.startsAtMs).toBeLessThanOrEqual(nowMs + 3000)
    expect(expectSameFrom(body.endsAtMs, before, after)).toBeGreaterThan(300)
  })

  it('continues the interrupted video where it stopped, and what followed it', async () => {
    const before = await guideFrom()
    const { body } = await start({ returnPolicy: 'continue' })
    const after = await guideFrom()
    expectNoGaps(after)
    const [interrupted, ...following] = before
    const playedMs = body.startsAtMs - (interrupted?.startsAtMs ?? 0)
    expect(after[2]).toMatchObject({
      videoId: interrupted?.videoId,
      startsAtMs: body.endsAtMs,
      endsAtMs: body.endsAtMs + (interrupted?.endsAtMs ?? 0) - body.startsAtMs,
      video: { startAtMs: playedMs },
    })
    expect(after.slice(3, 60).map(({ videoId }) => videoId)).toEqual(
      following.slice(0, 57).map(({ videoId }) => videoId),
    )
  })

  it('continues until it is stopped, also after extensions and edits', async () => {
    const { body: begun } = await start({ until: 'stopped', returnPolicy: 'continue' })
    const before = await guideFrom()
    const interrupted = before[0]
    await station.advance(5 * HOUR_MS, HOUR_MS)
    const added = video({ title: 'Later' })
    await station.addVideos([added])
    await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [added.id] })
    const during = await guideFrom()
    expectNoGaps(during)
    // One that is on counts up to now; its video repeats, which is one takeover.
    const nowMs = station.clock.nowMs
    expect(await takeoversIn(nowMs - HOUR_MS, nowMs + HOUR_MS)).toEqual([
      { title: 'Live special', startsAtMs: begun.startsAtMs, endsAtMs: nowMs },
    ])
    expect(new Set(during.map(({ videoId }) => videoId))).toEqual(new Set([special.id]))
    expect((await station.request('DELETE', path())).status).toBe(204)
    const after = await guideFrom()
    expectNoGaps(after)
    expect(after[0]?.videoId).toBe(special.id)
    expect(after[1]?.videoId).toBe(interrupted?.videoId)
    expect(after.slice(2).some(({ videoId }) => videoId === added.id)).toBe(true)
    expect(after.slice(1).some(({ videoId }) => videoId === special.id)).toBe(false)
    expect((await station.must('GET', path())).takeover).toBeNull()
  })

  it('can be undone within ten seconds: the channel continues as before', async () => {
    const before = await guideFrom()
    await start({ until: 'stopped', returnPolicy: 'continue' })
    await station.advance(6000)
    expect((await station.request('DELETE', `${path()}?undo=true`)).status).toBe(204)
    const after = (await guideFrom()).filter(({ block }) => block?.id !== 'takeover')
    const returnsAtMs = after[0]?.startsAtMs ?? 0
    expect(returnsAtMs - station.clock.nowMs).toBeLessThanOrEqual(3000)
    expectSameFrom(returnsAtMs, before, after)
  })

  it('that has ended by itself leaves a channel that is edited and extended as before', async () => {
    const { body } = await start({ videoIds: [special.id, second.id] })
    await station.advance(body.endsAtMs - station.clock.nowMs + 20 * MINUTE_MS, MINUTE_MS)
    await station.advance(3 * HOUR_MS, HOUR_MS)
    const { title, startsAtMs, endsAtMs } = body
    expect(await takeoversIn(startsAtMs - HOUR_MS, endsAtMs + HOUR_MS)).toEqual([
      { title, startsAtMs, endsAtMs },
    ])
    expect(await takeoversIn(endsAtMs, endsAtMs + HOUR_MS)).toEqual([])
    const added = video({ title: 'Added' })
    await station.addVideos([added])
    await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [added.id] })
    const programmes = await guideFrom()
    expectNoGaps(programmes)
    expect(programmes.some(({ videoId }) => videoId === added.id)).toBe(true)
    expect(programmes.some(({ videoId }) => videoId === special.id)).toBe(false)
  })
})

describe('a takeover', () => {
  beforeEach(async () => {
    count += 1
    id = await station.channelPlaying(`Channel ${count}`, playlist)
  })

  it('by a live stream is one programme until its end', async () => {
    const until = new Date(station.clock.nowMs + HOUR_MS).toISOString()
    const { status } = await start({ videoIds: [stream.id], isLive: true, until })
    expect(status).toBe(201)
    const onAir = (await guideFrom())[1]
    expect(onAir).toMatchObject({ videoId: stream.id, isLive: true, endsAtMs: Date.parse(until) })
  })

  it('is refused while another one is on, off the air, and for what cannot be played', async () => {
    await start({ until: 'stopped' })
    expect(await start()).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await station.must('POST', `/api/channels/${id}/stream`, { action: 'stop' })
    expect((await station.must('GET', path())).takeover).toBeNull()
    expect(await start()).toMatchObject({ status: 422, body: { code: 'unprocessable' } })
    await station.must('POST', `/api/channels/${id}/stream`, { action: 'start' })
    expect((await start({ videoIds: ['00000000-0000-7000-8000-000000000000'] })).status).toBe(422)
    expect((await start({ videoIds: [stream.id], isLive: true })).status).toBe(400)
    expect((await start({ until: new Date(station.clock.nowMs - HOUR_MS).toISOString() })).status).toBe(400)
    expect((await station.request('DELETE', path())).status).toBe(404)
  })

  it('cannot be undone after ten seconds', async () => {
    await start({ until: 'stopped' })
    await station.advance(11_000)
    expect(await station.request('DELETE', `${path()}?undo=true`)).toMatchObject({
      status: 409,
      body: { message: 'This takeover can no longer be undone. End it instead.' },
    })
  })

  it('is not for viewers', async () => {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const body =
        method === 'POST' ? { videoIds: [special.id], until: 'content', returnPolicy: 'join' } : undefined
      expect((await station.request(method, path(), body, station.user)).status).toBe(403)
      expect((await station.request(method, path(), body, null)).status).toBe(401)
    }
  })
})

const edits = fc.array(
  fc.record({
    kind: fc.constantFrom('shuffle', 'add', 'remove', 'publish', 'advance', 'takeover'),
    pick: fc.nat(1000),
  }),
  { maxLength: 6 },
)

/** The rest of the video on the air is not one of the cycle that was begun after it. */
const JUST_SHUFFLED = [
  { kind: 'shuffle', pick: 0 },
  { kind: 'takeover', pick: 0 },
]

/** Changes the loop of a channel, lets time pass, or undoes a takeover. */
async function edit(kind: string, pick: number): Promise<void> {
  const { items } = await station.must('GET', `/api/channels/${id}/playlist`)
  switch (kind) {
    case 'shuffle':
      await station.must('PATCH', `/api/channels/${id}`, { shuffleEnabled: pick % 2 === 0 })
      break
    case 'add': {
      const added = video({ artistName: `Band ${pick % 3}`, durationMs: 60_000 + pick * 100 })
      await station.addVideos([added])
      await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [added.id] })
      break
    }
    case 'remove':
      if (items.length > 2) {
        await station.must('DELETE', `/api/channels/${id}/playlist/${items[pick % items.length].id}`)
      }
      break
    case 'publish':
      await publish({ ...documentOf(pick % 2 === 0 ? 'playlist' : 'shuffle'), freezeMinutes: 0 })
      // After it, the programmes that a publication keeps have been on the air.
      await station.advance(10 * MINUTE_MS, MINUTE_MS)
      break
    case 'takeover':
      await start({ until: 'stopped' })
      expect((await station.request('DELETE', `${path()}?undo=true`)).status).toBe(204)
      break
    default:
      await station.advance(pick * 1000, 5 * MINUTE_MS)
  }
  await station.settle()
}

it('joins what would be on in progress, after any sequence of edits of the loop', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 6 }), edits, async (size, script) => {
      const videos = Array.from({ length: size }, (_, index) =>
        video({ artistName: `Band ${index % 4}`, durationMs: 4 * MINUTE_MS + index * 1000 }),
      )
      count += 1
      id = await station.channelPlaying(`Channel ${count}`, videos)
      for (const { kind, pick } of script) await edit(kind, pick)
      const before = await guideFrom()
      const { body } = await start()
      const after = await guideFrom()
      expectNoGaps(after)
      expect(expectSameFrom(body.endsAtMs, before, after)).toBeGreaterThan(100)
      await station.must('DELETE', `/api/channels/${id}`)
    }),
    { numRuns: 8, examples: [[3, JUST_SHUFFLED]] },
  )
})
