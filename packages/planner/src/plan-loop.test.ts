import { REQUESTS_SOURCE, type ScheduleDocument } from '@looptide/contracts/schedule'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { artistKey, type LibraryVideo } from './library.ts'
import type {
  PlanInput,
  PlannedDocument,
  PlanState,
  ReplayedProgramme,
  RequestInput,
  ScheduledProgramme,
} from './plan.ts'
import { planSchedule, replaySchedule, startStateOf } from './plan-schedule.ts'
import { countRepeats } from './rest-of-cycle.ts'

const HOUR_MS = 3_600_000
const FROM_MS = 1_000_000

const documentOf = (shuffle: boolean): ScheduleDocument => ({
  timeZone: 'UTC',
  defaultSource: 'playlist',
  sources: { playlist: { kind: 'playlist', order: shuffle ? 'shuffle' : 'playlist' } },
})

const makeVideos = (artists: readonly number[], durationMs = 200_000): LibraryVideo[] =>
  artists.map((artist, index) => ({
    id: `video ${index}`,
    durationMs: durationMs + index * 1000,
    title: '',
    artistName: `artist ${artist}`,
    category: null,
    genre: '',
    tags: [],
    addedAtMs: 0,
    likes: 0,
    isListed: true,
  }))

function inputOf(
  videos: readonly LibraryVideo[],
  shuffle: boolean,
  change: Partial<PlanInput> = {},
): PlanInput {
  return {
    document: documentOf(shuffle),
    library: videos,
    playlists: new Map([['', videos.map(({ id }) => ({ itemId: id, videoId: id }))]]),
    history: [],
    seed: 'seed',
    state: null,
    fromMs: FROM_MS,
    toMs: FROM_MS + 28 * HOUR_MS,
    max: 5000,
    ...change,
  }
}

const canSeparate = (videos: readonly LibraryVideo[]): boolean => {
  const sizes = [...Map.groupBy(videos, artistKey).values()].map((group) => group.length)
  return videos.length > 1 && Math.max(...sizes) * 2 <= videos.length
}
const idsOf = (programmes: readonly ScheduledProgramme[]) => programmes.map(({ itemId }) => itemId ?? '')

function repeatsOf(
  programmes: readonly ScheduledProgramme[],
  videos: readonly LibraryVideo[],
  before: string | null,
) {
  const artists = new Map(videos.map((video) => [video.id, artistKey(video)]))
  return countRepeats(idsOf(programmes), (id) => artists.get(id) ?? id, before)
}

/** The programmes of each cycle. */
function cyclesOf(programmes: readonly ScheduledProgramme[]): string[][] {
  const cycles: string[][] = []
  for (const { itemId, startsCycle } of programmes) {
    if (startsCycle) cycles.push([])
    cycles.at(-1)?.push(itemId ?? '')
  }
  return cycles
}

const loops = fc.record({
  artists: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 40 }),
  durationMs: fc.integer({ min: 30_000, max: 900_000 }),
  shuffle: fc.boolean(),
  seed: fc.string({ maxLength: 8 }),
  hours: fc.integer({ min: 1, max: 28 }),
})

test('a loop has no gap and no overlap, and covers its time span', () => {
  fc.assert(
    fc.property(loops, ({ artists, durationMs, shuffle, seed, hours }) => {
      const toMs = FROM_MS + hours * HOUR_MS
      const { programmes } = planSchedule(inputOf(makeVideos(artists, durationMs), shuffle, { seed, toMs }))
      expect(programmes[0]).toMatchObject({ startsAtMs: FROM_MS, startsCycle: true })
      const faulty = programmes.filter(
        ({ startsAtMs }, index) => index > 0 && startsAtMs !== programmes[index - 1]?.endsAtMs,
      )
      expect(faulty).toEqual([])
      expect(programmes.at(-1)!.endsAtMs).toBeGreaterThanOrEqual(toMs)
      expect(programmes.at(-1)!.startsAtMs).toBeLessThan(toMs)
    }),
    { numRuns: 50 },
  )
})

test('a plan ends after the maximum number of programmes', () => {
  expect(planSchedule(inputOf(makeVideos([0, 1]), false, { max: 7 })).programmes).toHaveLength(7)
})

test('a shuffled loop has no repeats of an artist, also between cycles, if the counts allow it', () => {
  fc.assert(
    fc.property(loops, ({ artists, seed }) => {
      const videos = makeVideos(artists)
      fc.pre(canSeparate(videos))
      const { programmes } = planSchedule(inputOf(videos, true, { seed }))
      expect(repeatsOf(programmes, videos, null)).toBe(0)
    }),
    { numRuns: 100 },
  )
})

test('every cycle plays every item once', () => {
  fc.assert(
    fc.property(loops, ({ artists, shuffle, seed }) => {
      const videos = makeVideos(artists)
      const cycles = cyclesOf(planSchedule(inputOf(videos, shuffle, { seed })).programmes)
      for (const cycle of cycles.slice(0, -1)) {
        expect(cycle.toSorted()).toEqual(videos.map(({ id }) => id).toSorted())
      }
    }),
    { numRuns: 50 },
  )
})

test('a loop continued from any programme, by its state or by a replay, equals the whole plan', () => {
  fc.assert(
    fc.property(loops, fc.integer({ min: 1, max: 50 }), ({ artists, shuffle, seed }, length) => {
      const span = inputOf(makeVideos(artists), shuffle, { seed, toMs: FROM_MS + 1000 * HOUR_MS })
      const whole = planSchedule({ ...span, max: length + 60 })
      const first = planSchedule({ ...span, max: length })
      const fromMs = first.programmes.at(-1)!.endsAtMs
      const start = startStateOf(span, ['playlist'])
      const replayed = replaySchedule({ ...span, state: start }, first.programmes)
      for (const state of [first.state, replayed]) {
        const second = planSchedule({ ...span, state, fromMs, max: 60 })
        expect([...first.programmes, ...second.programmes]).toEqual(whole.programmes)
      }
    }),
    { numRuns: 50 },
  )
})

const edits = fc.record({
  artists: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 30 }),
  aired: fc.integer({ min: 1, max: 70 }),
  removed: fc.array(fc.integer({ min: 0, max: 29 }), { maxLength: 8 }),
  added: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 8 }),
  seed: fc.string({ maxLength: 8 }),
})

/** A loop on the air: what is planned, and the state at the beginning. */
interface OnAir {
  programmes: readonly ScheduledProgramme[]
  start: PlanState
  videos: readonly LibraryVideo[]
}

function startLoop(videos: readonly LibraryVideo[], seed: string): OnAir {
  const input = inputOf(videos, true, { seed })
  return { ...planSchedule(input), start: startStateOf(input, ['playlist']), videos }
}

/** Plans a shuffled loop again with other videos, after the first `aired` programmes. */
function edit(before: OnAir, videos: readonly LibraryVideo[], aired: number, seed: string): OnAir {
  const played = before.programmes.slice(0, aired)
  const onAir = played.at(-1)!
  const video = before.videos.find(({ id }) => id === onAir.videoId)!
  const input = inputOf(videos, true, { seed })
  const fromMs = played[0]!.startsAtMs
  const state = replaySchedule({ ...input, fromMs, state: before.start }, played)
  const planned = idsOf(before.programmes.slice(aired))
  const after = {
    ...input,
    state,
    planned,
    previous: { itemId: onAir.itemId, videoId: null, artist: artistKey(video) },
    fromMs: onAir.endsAtMs,
  }
  return { ...planSchedule(after), start: startStateOf(after, ['playlist']), videos }
}

test('after an edit of a shuffled loop the cycle continues with the remaining and new items, artists separated', () => {
  fc.assert(
    fc.property(edits, ({ artists, aired, removed, added, seed }) => {
      const before = startLoop(makeVideos(artists), seed)
      const removedIds = new Set(removed.map((index) => `video ${index}`))
      const fresh = makeVideos([...artists, ...added]).slice(artists.length)
      const videos = [...before.videos.filter(({ id }) => !removedIds.has(id)), ...fresh]
      fc.pre(videos.length > 0)
      const after = edit(before, videos, aired, seed)
      const played = cyclesOf(before.programmes.slice(0, aired)).at(-1) ?? []
      const due = videos.map(({ id }) => id).filter((id) => !played.includes(id))
      const index = after.programmes.findIndex(({ startsCycle }) => startsCycle)
      if (index > 0) expect(idsOf(after.programmes.slice(0, index)).toSorted()).toEqual(due.toSorted())
      const onAir = before.videos.find(({ id }) => id === before.programmes[aired - 1]!.videoId)!
      if (canSeparate(videos)) expect(repeatsOf(after.programmes, videos, artistKey(onAir))).toBe(0)
    }),
    { numRuns: 300 },
  )
})

test('an edit of a shuffled loop without changes keeps the plan, also after earlier edits', () => {
  fc.assert(
    fc.property(edits, fc.integer({ min: 1, max: 30 }), ({ artists, aired, added, seed }, later) => {
      const before = startLoop(makeVideos(artists), seed)
      const videos = makeVideos([...artists, ...added])
      const unchanged = edit(before, before.videos, aired, seed)
      expect(idsOf(unchanged.programmes).slice(0, 60)).toEqual(
        idsOf(before.programmes).slice(aired, aired + 60),
      )
      const first = edit(before, videos, aired, seed)
      const second = edit(first, videos, later, seed)
      expect(idsOf(second.programmes).slice(0, 60)).toEqual(idsOf(first.programmes).slice(later, later + 60))
    }),
    { numRuns: 100 },
  )
})

test('an added item changes nothing else in the order of the cycle', () => {
  fc.assert(
    fc.property(edits, ({ artists, aired, seed }) => {
      const before = startLoop(makeVideos(artists), seed)
      const videos = makeVideos([...artists, 9])
      const fresh = videos.at(-1)!.id
      fc.pre(canSeparate(before.videos))
      const rest = idsOf(before.programmes.slice(aired))
      const end = before.programmes.slice(aired).findIndex(({ startsCycle }) => startsCycle)
      fc.pre(end > 0)
      const after = edit(before, videos, aired, seed)
      const order = idsOf(after.programmes).slice(0, end + 1)
      expect(order).toContain(fresh)
      expect(order.filter((id) => id !== fresh)).toEqual(rest.slice(0, end))
    }),
    { numRuns: 100 },
  )
})

test('in playlist order an edit continues after the item on the air, at its new position', () => {
  const videos = makeVideos([0, 1, 2, 3])
  const [a, b, c, d] = videos as [LibraryVideo, LibraryVideo, LibraryVideo, LibraryVideo]
  const after = (list: LibraryVideo[], onAir: LibraryVideo, planned: LibraryVideo[]) => {
    const state = replaySchedule(inputOf(list, false), [
      {
        itemId: onAir.id,
        videoId: onAir.id,
        startsAtMs: FROM_MS,
        endsAtMs: FROM_MS + 1,
        startsCycle: true,
        reason: { slot: null, source: 'playlist' },
      },
    ])
    const input = inputOf(list, false, { state, planned: planned.map(({ id }) => id), max: 4 })
    return idsOf(planSchedule(input).programmes)
  }
  const ids = (...list: LibraryVideo[]) => list.map(({ id }) => id)
  expect(after([a, c, b, d], a, [b, c, d])).toEqual(ids(c, b, d, a))
  expect(after([c, d, a, b], b, [c, d])).toEqual(ids(c, d, a, b))
  expect(after([a, c, d], b, [c, d])).toEqual(ids(c, d, a, c))
  expect(after([a, d], b, [c, d])).toEqual(ids(d, a, d, a))
  expect(after([a], b, [c, d])).toEqual(ids(a, a, a, a))
})

/** A loop in which every `every`-th programme is a request. */
const withRequests = (document: ScheduleDocument, every: number): PlannedDocument => ({
  ...document,
  clocks: {
    loop: [
      { source: 'playlist', count: every - 1 },
      { source: REQUESTS_SOURCE, fallback: 'playlist' },
    ],
  },
  defaultClock: 'loop',
})

/** A queue of `count` requests, each of an account and a video of its own. */
function queueOf(count: number): { videos: LibraryVideo[]; requests: RequestInput } {
  const videos = makeVideos(Array.from({ length: count }, (_, index) => 100 + index)).map((video) => ({
    ...video,
    id: `wanted ${video.id}`,
  }))
  const requests = videos.map(({ id, durationMs }, index) => ({
    ...{ id: `request ${index}`, videoId: id, durationMs, requestedAtMs: index, isPinned: false },
  }))
  const turns = requests.map(({ id }, load) => ({ load, approved: [id] }))
  const nothing = { taken: [], decided: [], decidedUntilMs: 0, votes: [] }
  return { videos, requests: { sequence: 1, requests, turns, ...nothing } }
}

/** Programmes as a timeline stores those of a loop: only requests have a reason. */
const stored = (programmes: readonly ScheduledProgramme[]): ReplayedProgramme[] =>
  programmes.map(({ itemId, videoId, startsAtMs, endsAtMs, startsCycle, reason }) => ({
    ...{ itemId, videoId, startsAtMs, endsAtMs },
    startsCycle: reason.request === undefined ? startsCycle : null,
    reason:
      reason.request === undefined
        ? { slot: null, source: 'playlist' }
        : { slot: reason.slot, source: reason.source },
  }))

const everies = fc.integer({ min: 2, max: 7 })

test('a loop that may play requests, but has none, is planned as one that may not', () => {
  fc.assert(
    fc.property(loops, everies, fc.boolean(), ({ artists, shuffle, seed }, every, hasQueue) => {
      const plain = inputOf(makeVideos(artists), shuffle, { seed, max: 200 })
      const document = withRequests(plain.document, every)
      const { requests } = queueOf(0)
      const withoutPlace = ({ programmes }: { programmes: readonly ScheduledProgramme[] }) =>
        programmes.map(({ reason: _reason, ...programme }) => programme)
      const planned = planSchedule({ ...plain, document, ...(hasQueue && { requests }) })
      expect(withoutPlace(planned)).toEqual(withoutPlace(planSchedule(plain)))
      expect(planned.state.sources).toEqual(planSchedule(plain).state.sources)
    }),
    { numRuns: 50 },
  )
})

test('every n-th programme of a loop is a request while one waits, and between them the loop goes on', () => {
  fc.assert(
    fc.property(loops, everies, fc.nat({ max: 20 }), ({ artists, shuffle, seed }, every, count) => {
      const plain = inputOf(makeVideos(artists), shuffle, { seed, max: 200 })
      const { videos, requests } = queueOf(count)
      const { programmes } = planSchedule({
        ...{ ...plain, document: withRequests(plain.document, every), requests },
        library: [...plain.library, ...videos],
      })
      const places = programmes.flatMap(({ reason }, index) => (reason.request ? [index] : []))
      const expected = Array.from({ length: count }, (_, index) => every * (index + 1) - 1)
      expect(places).toEqual(expected.filter((place) => place < programmes.length))
      expect(places.map((place) => programmes[place]?.reason.request?.id)).toEqual(
        requests.requests.slice(0, places.length).map(({ id }) => id),
      )
      const own = programmes.filter(({ reason }) => reason.request === undefined)
      expect(idsOf(own)).toEqual(idsOf(planSchedule(plain).programmes).slice(0, own.length))
    }),
    { numRuns: 100 },
  )
})

test('a loop with requests continued from any programme, by its state or by a replay, equals the whole plan', () => {
  fc.assert(
    fc.property(
      loops,
      everies,
      fc.integer({ min: 1, max: 50 }),
      ({ artists, shuffle, seed }, every, length) => {
        const { videos, requests } = queueOf(12)
        const plain = inputOf(makeVideos(artists), shuffle, { seed, toMs: FROM_MS + 1000 * HOUR_MS })
        const document = withRequests(plain.document, every)
        const span = { ...plain, document, requests, library: [...plain.library, ...videos] }
        const whole = planSchedule({ ...span, max: length + 60 })
        const first = planSchedule({ ...span, max: length })
        const fromMs = first.programmes.at(-1)!.endsAtMs
        const start = startStateOf(span, ['playlist'])
        const replayed = replaySchedule({ ...span, state: start }, stored(first.programmes))
        const taken = first.programmes.flatMap(({ reason: { request } }) => request ?? [])
        for (const state of [first.state, replayed]) {
          const second = planSchedule({
            ...{ ...span, state, fromMs, max: 60 },
            requests: { ...requests, taken },
          })
          expect([...first.programmes, ...second.programmes]).toEqual(whole.programmes)
        }
      },
    ),
    { numRuns: 100 },
  )
})
