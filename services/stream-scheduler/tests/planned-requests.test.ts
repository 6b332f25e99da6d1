import { randomUUID } from 'node:crypto'
import type { EventData } from '@looptide/contracts/events'
import type { Channel, Programme } from '@looptide/contracts/http/channels'
import type { LogProgramme } from '@looptide/contracts/http/log'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GuardStub, startGuardStub } from './_guard-stub.ts'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

type Queue = EventData<'audience.queue.changed.v1'>
type Plan = EventData<'stream.requests.planned.v1'>
type Started = EventData<'stream.programme.started.v1'>

let station: TestScheduler
let guard: GuardStub
let id: string
let sequence = 1000
let plans: Plan[] = []
let started: Started[] = []
const playlist = Array.from({ length: 8 }, (_, index) => video({ title: `List ${index}` }))
const wanted = Array.from({ length: 8 }, (_, index) =>
  video({ title: `Wanted ${index}`, durationMs: 2 * MINUTE_MS + index * 1000 }),
)

/** A video of the list, then a request by turns, again and again. */
const document: ScheduleDocument = {
  timeZone: 'Etc/UTC',
  defaultSource: 'list',
  freezeMinutes: 0,
  sources: { list: { kind: 'playlist' } },
  clocks: {
    mixed: [
      { source: 'list', count: 1 },
      { source: 'requests', fallback: 'list' },
    ],
  },
  blocks: [
    {
      ...{ id: 'day', name: 'Day', from: '00:00', to: '24:00', clock: 'mixed' },
      days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    },
  ],
}

beforeAll(async () => {
  guard = await startGuardStub()
  station = await TestScheduler.start({ config: { adminAuditUrl: guard.url } })
  await station.addVideos(wanted)
  await station.listen('stream.requests.planned.v1', ({ data }) => plans.push(data))
  await station.listen('stream.programme.started.v1', ({ data }) => started.push(data))
})
beforeEach(async () => {
  plans = []
  started = []
  id = await station.channelPlaying(`Requests ${sequence}`, playlist)
  await station.publishSchedule(id, document)
  // The schedule plans from the end of the freeze interval on.
  await station.advance(20 * MINUTE_MS, MINUTE_MS)
})
afterEach(() => station.deleteChannels())
afterAll(async () => {
  await station.stop()
  guard.stop()
})

type Request = Queue['requests'][number]

const requestFor = (index: number): Request => {
  const { id: videoId, durationMs } = wanted[index]!
  return { id: randomUUID(), videoId, durationMs, requestedAtMs: index, isPinned: false }
}

/** Audience publishes a queue in which each request is of another account. The first one comes first. */
async function publishQueue(requests: readonly Request[], parts = 1): Promise<number> {
  sequence += 1
  const share = Math.ceil(requests.length / parts)
  const turns = requests.map((_, index) => ({ load: index, approved: [index] }))
  await station.publish(
    ...Array.from({ length: parts }, (_, at): ['audience.queue.changed.v1', string, Queue] => [
      'audience.queue.changed.v1',
      id,
      {
        ...{ channelId: id, sequence, part: at + 1, parts, votes: [] },
        requests: requests.slice(at * share, (at + 1) * share),
        turns: turns.slice(at * share, (at + 1) * share),
      },
    ]),
  )
  return sequence
}

/** The programmes of the timeline that are requests and have not started. */
async function planned() {
  const rows = await station.db
    .selectFrom('programmes')
    .select(['startsAtMs', 'reason'])
    .where('channelId', '=', id)
    .where('startsAtMs', '>', station.clock.nowMs)
    .orderBy('seq')
    .execute()
  return rows.flatMap(({ startsAtMs, reason }) =>
    reason?.request === undefined ? [] : [{ ...reason.request, startsAtMs }],
  )
}

const plannedIds = async (): Promise<string[]> => (await planned()).map((one) => one.id)

/** What audience knows by the last event. */
const published = (): Plan => plans.findLast(({ channelId }) => channelId === id)!
const decidedIds = (): string[] =>
  published().planned.flatMap(({ requestId, isDecided }) => (isDecided ? [requestId] : []))

const startedIds = (): string[] =>
  started.flatMap(({ channelId, request }) => (channelId === id && request ? [request.id] : []))

const versionOf = async (): Promise<number> =>
  (await station.must('GET', `/api/channels/${id}/guide?hours=1`)).timelineVersion

/** The clock moves until a request is decided; the queue was published before. */
async function untilDecided(): Promise<string> {
  for (let step = 0; step < 60; step += 1) {
    await station.advance(10_000)
    await station.settle()
    const [first] = decidedIds()
    if (first !== undefined) return first
  }
  throw new Error('no request was decided')
}

describe('requests', () => {
  it('are planned in the slots of the clock, published, decided before they start, and aired', async () => {
    const requests = [requestFor(0), requestFor(1), requestFor(2)]
    const used = await publishQueue(requests, 2)
    expect(await plannedIds()).toEqual(requests.map((one) => one.id))
    const first = (await planned())[0]!
    expect(published().planned[0]).toEqual({
      ...{ requestId: first.id, currency: 'turn', sequence: used, startsAtMs: first.startsAtMs },
      ...{ isDecided: first.startsAtMs < station.clock.nowMs + 5 * MINUTE_MS, passedOver: [] },
    })
    const guide = await station.must('GET', `/api/channels/${id}/guide?hours=1`)
    expect(guide.programmes).toContainEqual(
      expect.objectContaining({
        startsAtMs: first.startsAtMs,
        video: expect.objectContaining({ title: 'Wanted 0' }),
        reason: expect.objectContaining({ source: 'requests', requestId: first.id }),
      }),
    )
    await station.advance(first.startsAtMs - MINUTE_MS - station.clock.nowMs)
    await station.settle()
    expect(decidedIds()).toContain(first.id)
    await station.advance(HOUR_MS, MINUTE_MS)
    await station.settle()
    expect(startedIds()).toEqual(requests.map((one) => one.id))
    expect(await plannedIds()).toEqual([])
  })

  it('are aired once, also if a process starts again and no newer queue comes', async () => {
    const requests = [requestFor(0), requestFor(1)]
    await publishQueue(requests)
    const [first] = await planned()
    await station.advance(first!.startsAtMs + 1000 - station.clock.nowMs)
    await station.settle()
    await station.replicas.shift()!.close()
    await station.addReplica()
    await station.advance(1000)
    expect(await plannedIds()).toEqual([requests[1]!.id])
    await station.must('POST', `/api/channels/${id}/stream`, { action: 'stop' })
    await station.settle()
    expect(published()).toEqual({ channelId: id, planned: [], blocked: [] })
    await station.must('POST', `/api/channels/${id}/stream`, { action: 'start' })
    await station.settle()
    expect(await plannedIds()).toEqual([requests[1]!.id])
    await station.advance(HOUR_MS, MINUTE_MS)
    await station.settle()
    expect(startedIds()).toEqual(requests.map((one) => one.id))
  })

  it('wait for a queue that knows what was decided', async () => {
    const [first, second, third] = [requestFor(0), requestFor(1), requestFor(2)]
    const old = await publishQueue([first, second])
    expect(await untilDecided()).toBe(first.id)
    await publishQueue([third, first, second])
    expect((await planned()).map((one) => [one.id, one.sequence])).toEqual([
      [first.id, old],
      [second.id, old],
    ])
    const known = await publishQueue([third, second])
    expect((await planned()).map((one) => [one.id, one.sequence])).toEqual([
      [first.id, old],
      [third.id, known],
      [second.id, known],
    ])
  })

  it('stay as they are for viewers if a newer queue chooses the same ones', async () => {
    const requests = [requestFor(0), requestFor(1)]
    await publishQueue(requests)
    const before = await planned()
    const version = await versionOf()
    const isUndecided = ({ startsAtMs }: { startsAtMs: number }) =>
      startsAtMs >= station.clock.nowMs + 5 * MINUTE_MS
    const known = requests.filter((one) => before.some((other) => other.id === one.id && isUndecided(other)))
    const newer = await publishQueue(known)
    expect(await planned()).toEqual(
      before.map((one) => (isUndecided(one) ? { ...one, sequence: newer } : one)),
    )
    expect(await versionOf()).toBe(version)
  })

  it('stay where they are, and so do the programmes before them, if the playlist is edited', async () => {
    // Slots before them have been announced with videos of the list.
    await publishQueue([requestFor(0), requestFor(1)])
    const timeline = () =>
      station.db
        .selectFrom('programmes')
        .select(['videoId', 'startsAtMs'])
        .where('channelId', '=', id)
        .orderBy('seq')
        .execute()
    const before = await timeline()
    const [first] = await planned()
    expect(first!.startsAtMs - station.clock.nowMs).toBeGreaterThanOrEqual(5 * MINUTE_MS)
    const simulated = await station.must('POST', `/api/channels/${id}/simulate`, {})
    expect(simulated.firstChangeMs).toBeNull()
    await station.must('POST', `/api/channels/${id}/playlist`, { videoIds: [wanted[7]!.id] })
    const announced = before.filter(({ startsAtMs }) => startsAtMs <= first!.startsAtMs)
    expect((await timeline()).slice(0, announced.length)).toEqual(announced)
  })

  it('that a rule forbids are published with the rule', async () => {
    const gone = { ...requestFor(0), videoId: randomUUID() }
    const other = requestFor(1)
    await publishQueue([gone, other])
    const passedOver = [{ request: gone.id, rule: 'notPlayable' }]
    expect(await planned()).toMatchObject([{ id: other.id, passedOver }])
    expect(published().blocked).toEqual([{ requestId: gone.id, rule: 'notPlayable', untilMs: null }])
  })
})

describe('a decided request', () => {
  it('survives an edit of the log and newer queues', async () => {
    const [first, second] = [requestFor(0), requestFor(1)]
    await publishQueue([first, second])
    expect(await untilDecided()).toBe(first.id)
    await publishQueue([second])
    const { headers, body } = await station.request('GET', `/api/channels/${id}/log`)
    const song = body.programmes.find(({ title }: LogProgramme) => title === 'Wanted 0')
    const edit = { action: 'insert', videoId: wanted[5]!.id, before: song?.programmeId }
    const edited = await station.request('POST', `/api/channels/${id}/log/edits`, edit, {
      headers: { ...station.admin.headers, 'if-match': headers.get('etag') ?? '' },
    })
    expect(edited).toMatchObject({ status: 200 })
    expect((await plannedIds()).slice(0, 2)).toEqual([first.id, second.id])
    await station.settle()
    expect(decidedIds()).toContain(first.id)
    await station.advance(30 * MINUTE_MS, MINUTE_MS)
    await station.settle()
    expect(startedIds()).toEqual([first.id, second.id])
  })

  it('is undone by a takeover, and planned again from a queue that lists it', async () => {
    const first = requestFor(0)
    await publishQueue([first])
    expect(await untilDecided()).toBe(first.id)
    await publishQueue([])
    const takeover = { title: 'News', videoIds: [wanted[7]!.id], until: 'stopped', returnPolicy: 'join' }
    await station.must('POST', `/api/channels/${id}/takeover`, takeover)
    await station.settle()
    expect(published()).toEqual({ channelId: id, planned: [], blocked: [] })
    await station.advance(30 * MINUTE_MS, MINUTE_MS)
    await station.must('DELETE', `/api/channels/${id}/takeover`)
    await publishQueue([first])
    expect(await plannedIds()).toEqual([first.id])
    expect(startedIds()).toEqual([])
  })
})

describe('a channel without a schedule', () => {
  beforeEach(async () => {
    id = await station.channelPlaying(`Loop ${sequence}`, playlist)
  })

  const setEvery = (requestEvery: number | null) =>
    station.must('PATCH', `/api/channels/${id}`, { requestEvery })

  /** Titles of the programmes from the current one on. */
  const titles = async (count: number): Promise<(string | undefined)[]> => {
    const { programmes } = await station.must('GET', `/api/channels/${id}/guide?hours=24`)
    return (programmes as Programme[])
      .filter(({ endsAtMs }) => endsAtMs > station.clock.nowMs)
      .slice(0, count)
      .map((programme) => programme.video?.title)
  }

  const lists = (...numbers: number[]): string[] => numbers.map((number) => `List ${number}`)

  it('plays a request as every n-th programme, with its reason, and its loop between them', async () => {
    expect(await setEvery(3)).toMatchObject({ requestEvery: 3, takesRequests: true })
    expect(await titles(6)).toEqual(lists(0, 1, 2, 3, 4, 5))
    const requests = [requestFor(0), requestFor(1)]
    await publishQueue(requests)
    expect(await plannedIds()).toEqual(requests.map((one) => one.id))
    expect(await titles(20)).toEqual([
      ...[...lists(0, 1, 2, 3, 4), 'Wanted 0', ...lists(5, 6), 'Wanted 1', ...lists(7, 0, 1, 2)],
      ...lists(3, 4, 5, 6, 7, 0, 1),
    ])
    const [first] = await planned()
    const guide = await station.must('GET', `/api/channels/${id}/guide?hours=2`)
    const programme = (guide.programmes as Programme[]).find(
      ({ startsAtMs }) => startsAtMs === first!.startsAtMs,
    )!
    expect(programme).toMatchObject({ block: null, reason: { source: 'requests' } })
    expect(
      await station.must('GET', `/api/channels/${id}/programmes/${programme.id}/explanation`),
    ).toMatchObject({ schedule: { source: 'requests', blockName: null } })
    const simulated = await station.must('POST', `/api/channels/${id}/simulate`, { hours: 12 })
    expect(simulated.programmes.map(({ title }: { title: string }) => title)).toContain('Wanted 1')
    await station.advance(HOUR_MS, MINUTE_MS)
    await station.settle()
    expect(startedIds()).toEqual(requests.map((one) => one.id))
    expect(await plannedIds()).toEqual([])
  })

  it('plans the same again after a restart and an extension', async () => {
    await setEvery(2)
    await publishQueue([requestFor(0), requestFor(1), requestFor(2)])
    const before = await titles(40)
    expect(before.filter((title) => title?.startsWith('Wanted'))).toHaveLength(3)
    await station.replicas.shift()!.close()
    await station.addReplica()
    await station.advance(20 * MINUTE_MS, MINUTE_MS)
    const after = await titles(20)
    expect(before.join()).toContain(after.join())
  })

  it('plays none any more when the setting is turned off, which tells audience, and the audit log has both', async () => {
    await setEvery(2)
    const request = requestFor(0)
    await publishQueue([request])
    expect(await plannedIds()).toEqual([request.id])
    const audited: unknown[] = []
    await station.listen('stream.audit.recorded.v1', ({ data }) => audited.push(data))
    expect(await setEvery(null)).toMatchObject({ requestEvery: null, takesRequests: false })
    await station.settle()
    expect(await plannedIds()).toEqual([])
    expect(published()).toEqual({ channelId: id, planned: [], blocked: [] })
    expect(audited.at(-1)).toMatchObject({
      action: 'channel.update',
      before: { requestEvery: 2 },
      after: { requestEvery: null },
    })
  })

  it('keeps the setting while a schedule decides', async () => {
    await setEvery(2)
    await station.publishSchedule(id, { ...document, clocks: {}, blocks: [] })
    const read = async () => {
      const { items } = await station.must('GET', '/api/channels')
      return (items as Channel[]).find((channel) => channel.id === id)
    }
    expect(await read()).toMatchObject({ takesRequests: false, requestEvery: 2 })
    expect(await setEvery(4)).toMatchObject({ takesRequests: false, requestEvery: 4 })
    await station.must('DELETE', `/api/channels/${id}/schedule`)
    expect(await read()).toMatchObject({ takesRequests: true, requestEvery: 4 })
    const { id: copy } = await station.must('POST', '/api/channels', { name: `Copy of ${id}`, copyOf: id })
    const { items } = await station.must('GET', '/api/channels')
    expect((items as Channel[]).find((channel) => channel.id === copy)).toMatchObject({
      ...{ takesRequests: true, requestEvery: 4 },
    })
    await station.must('DELETE', `/api/channels/${copy}`)
  })

  it.each([1, 0, -2, 101, 2.5, '3'])('refuses %j', async (requestEvery) => {
    const { status, body } = await station.request('PATCH', `/api/channels/${id}`, { requestEvery })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'validation_failed' })
  })
})

it('a station without requests ignores stored queues', async () => {
  const requests = [requestFor(0)]
  await publishQueue(requests)
  expect(await plannedIds()).toEqual([requests[0]!.id])
  await station.replicas.shift()!.close()
  station.config = { ...station.config, requests: 'off' }
  await station.addReplica()
  try {
    await station.must('POST', `/api/channels/${id}/stream`, { action: 'reset' })
    await station.settle()
    expect(await plannedIds()).toEqual([])
    expect(published()).toEqual({ channelId: id, planned: [], blocked: [] })
  } finally {
    await station.replicas.shift()!.close()
    station.config = { ...station.config, requests: 'on' }
    await station.addReplica()
  }
})
