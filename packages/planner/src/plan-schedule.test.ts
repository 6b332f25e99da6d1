import type { ScheduleDocument } from '@looptide/contracts/schedule'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { segmentsOf } from './grid.ts'
import { type Airing, artistKey, type LibraryVideo } from './library.ts'
import type { PlanInput, ScheduledProgramme, SchedulePlan } from './plan.ts'
import { planSchedule, replaySchedule } from './plan-schedule.ts'
import { faultsOf } from './testing/check-plan.ts'
import { exampleLibrary, videoId } from './testing/example-library.ts'
import { exampleSchedule } from './testing/example-schedule.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MONDAY_MS = Date.UTC(2026, 10, 23)
const library = exampleLibrary(500)
const playlists = new Map([['', library.slice(0, 40).map(({ id }) => ({ itemId: id, videoId: id }))]])

function inputOf(document: ScheduleDocument, change: Partial<PlanInput> = {}): PlanInput {
  const fromMs = change.fromMs ?? MONDAY_MS
  return {
    document,
    library,
    playlists,
    history: [],
    seed: 'seed',
    state: null,
    fromMs,
    toMs: fromMs + DAY_MS,
    ...change,
  }
}

const airingsOf = (programmes: readonly ScheduledProgramme[]): Airing[] =>
  programmes.flatMap(({ videoId: id, startsAtMs, endsAtMs }) =>
    id === null ? [] : [{ videoId: id, startsAtMs, endsAtMs }],
  )

/** Plans in steps as the scheduler does, each from the state and the history of the one before. */
function planInSteps(input: PlanInput, stepMs: number): SchedulePlan {
  let plan: SchedulePlan = { programmes: [], state: input.state ?? { sources: {}, slot: null } }
  let fromMs = input.fromMs
  for (let toMs = input.fromMs + stepMs; fromMs < input.toMs; toMs += stepMs) {
    const history = [...input.history, ...airingsOf(plan.programmes)]
    const next = planSchedule({
      ...input,
      history,
      state: plan.state,
      fromMs,
      toMs: Math.min(toMs, input.toMs),
    })
    plan = { programmes: [...plan.programmes, ...next.programmes], state: next.state }
    fromMs = next.programmes.at(-1)?.endsAtMs ?? fromMs
  }
  return plan
}

describe('a week of a programmed channel', () => {
  const document = exampleSchedule('America/Los_Angeles')
  const input = inputOf(document, { toMs: MONDAY_MS + 7 * DAY_MS })
  const plan = planSchedule(input)

  test('has no gap, no overlap, no missed hard start and no breached hard rule', () => {
    expect(faultsOf(document, library, [], plan.programmes, input.fromMs, input.toMs)).toEqual([])
  })

  test('cuts no video short', () => {
    expect(plan.programmes.filter(({ isCutShort }) => isCutShort)).toEqual([])
  })

  test('ends at most 30 s of countdown before each hard start', () => {
    const countdowns = plan.programmes.filter(({ kind }) => kind === 'countdown')
    expect(countdowns.length).toBeGreaterThan(0)
    expect(Math.max(...countdowns.map((one) => one.endsAtMs - one.startsAtMs))).toBeLessThanOrEqual(30_000)
  })

  test('plays the special instead of the block, which continues afterwards', () => {
    const friday = plan.programmes.filter(({ startsAtMs }) => startsAtMs >= Date.UTC(2026, 10, 28, 4))
    const order = [...new Set(friday.map(({ reason }) => reason.blockId ?? reason.specialId))]
    expect(order.slice(0, 4)).toEqual(['friday-gold', 'premiere', 'night', null])
    const gold = friday.filter(({ reason }) => reason.blockId === 'friday-gold')
    expect(gold.some(({ startsAtMs }) => startsAtMs >= Date.UTC(2026, 10, 28, 5, 30))).toBe(true)
  })

  test('follows the slots of a clock', () => {
    const sources = plan.programmes
      .filter(({ reason }) => reason.blockId === 'breakfast')
      .slice(0, 6)
      .map(({ kind, reason }) => reason.source ?? kind)
    expect(sources).toEqual(['ident', 'fresh', 'fresh', 'fresh', 'classics', 'ident'])
  })

  test('is the same when it is planned hour by hour', () => {
    const inSteps = planInSteps(input, HOUR_MS)
    expect(inSteps.programmes.length).toBeGreaterThanOrEqual(plan.programmes.length)
    expect(inSteps.programmes.slice(0, plan.programmes.length)).toEqual(plan.programmes)
  })

  test('continues in the same way after any of its programmes, from a replay of those before', () => {
    const count = plan.programmes.length
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: count - 1 }),
        fc.integer({ min: 0, max: count - 1 }),
        (at, first) => {
          const start = Math.min(first, at - 1)
          const beforeStart = plan.programmes.slice(0, start)
          const startMs = plan.programmes[start]?.startsAtMs ?? input.fromMs
          const known = start === 0 ? null : replaySchedule({ ...input, fromMs: input.fromMs }, beforeStart)
          const replayed = plan.programmes.slice(start, at)
          const state = replaySchedule(
            { ...input, history: airingsOf(beforeStart), state: known, fromMs: startMs },
            replayed,
          )
          const fromMs = replayed.at(-1)?.endsAtMs ?? startMs
          const history = airingsOf(plan.programmes.slice(0, at))
          const rest = planSchedule({
            ...input,
            history,
            state,
            fromMs,
            toMs: Math.min(fromMs + 6 * HOUR_MS, input.toMs),
          })
          expect(rest.programmes).toEqual(plan.programmes.slice(at, at + rest.programmes.length))
        },
      ),
      { numRuns: 15 },
    )
  })

  test('continues in the same way among the programmes that fill the time before a hard start', () => {
    const last = plan.programmes.flatMap(({ kind }, index) => (kind === 'countdown' ? [index] : []))
    for (const at of last.flatMap((index) => [index - 1, index])) {
      const before = plan.programmes.slice(0, at)
      const state = replaySchedule(input, before)
      const fromMs = before.at(-1)?.endsAtMs ?? input.fromMs
      const rest = planSchedule({ ...input, history: airingsOf(before), state, fromMs, toMs: fromMs + 1 })
      expect(rest.programmes).toEqual(plan.programmes.slice(at, at + rest.programmes.length))
    }
  })

  test('numbers no video of a slot above its count', () => {
    const numbered = plan.programmes.filter(({ reason }) => reason.number !== null)
    expect(numbered.length).toBeGreaterThan(0)
    expect(numbered.filter(({ reason }) => (reason.number ?? 0) > (reason.count ?? 0))).toEqual([])
  })

  test('changes only from a changed block on', () => {
    const blocks = document.blocks?.map((block) =>
      block.id === 'friday-gold' ? { ...block, source: 'jazz' } : block,
    )
    const changed = planSchedule({ ...input, document: { ...document, blocks } })
    const startMs = segmentsOf(document, input.fromMs, input.toMs).find(
      ({ item }) => item?.id === 'friday-gold',
    )?.startMs
    const before = (programmes: readonly ScheduledProgramme[]) =>
      programmes.filter(({ startsAtMs }) => startsAtMs < (startMs ?? 0))
    expect(before(changed.programmes)).toEqual(before(plan.programmes))
    expect(changed.programmes).not.toEqual(plan.programmes)
  })
})

describe('hard starts', { timeout: 60_000 }, () => {
  test('no video of 336 hours is cut short', () => {
    const blocks = Array.from({ length: 24 }, (_, hour) => ({
      id: `hour-${hour}`,
      name: `Hour ${hour}`,
      days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const,
      from: `${String(hour).padStart(2, '0')}:00`,
      to: hour === 23 ? '24:00' : `${String(hour + 1).padStart(2, '0')}:00`,
      start: 'hard' as const,
      source: 'all',
    }))
    const document: ScheduleDocument = {
      timeZone: 'UTC',
      defaultSource: 'all',
      sources: { all: { kind: 'smart', where: {}, order: 'shuffle' } },
      blocks: blocks.map((block) => ({ ...block, days: [...block.days] })),
      rules: {
        artistSeparationMinutes: { value: 45, strength: 'soft' },
        videoSeparationHours: { value: 3, strength: 'hard' },
      },
    }
    const input = inputOf(document, { toMs: MONDAY_MS + 14 * DAY_MS })
    const { programmes } = planSchedule(input)
    expect(faultsOf(document, library, [], programmes, input.fromMs, input.toMs)).toEqual([])
    expect(programmes.filter(({ isCutShort }) => isCutShort)).toEqual([])
  })
})

describe('orders', () => {
  const playedBy = (order: 'playlist' | 'newestFirst' | 'mostLiked' | 'shuffle', videos: LibraryVideo[]) => {
    const document: ScheduleDocument = {
      timeZone: 'UTC',
      defaultSource: 'all',
      sources: { all: { kind: 'smart', where: {}, order } },
    }
    const toMs = MONDAY_MS + 3 * DAY_MS
    return planSchedule(inputOf(document, { library: videos, toMs })).programmes.map((one) => one.videoId)
  }
  const videos = exampleLibrary(20)

  test('a cycle plays every video once, in each order', () => {
    for (const order of ['playlist', 'newestFirst', 'mostLiked', 'shuffle'] as const) {
      expect(new Set(playedBy(order, videos).slice(0, 20)).size, order).toBe(20)
    }
  })

  test('newest first and most liked begin with the newest and the most liked video', () => {
    expect(playedBy('newestFirst', videos)[0]).toBe(videoId(19))
    const mostLiked = videos.toSorted((a, b) => b.likes - a.likes)[0]
    expect(playedBy('mostLiked', videos)[0]).toBe(mostLiked?.id)
  })

  test('least recently aired follows the history', () => {
    const document: ScheduleDocument = {
      timeZone: 'UTC',
      defaultSource: 'all',
      sources: { all: { kind: 'smart', where: {}, order: 'leastRecentlyAired' } },
    }
    const history = videos.map(({ id }, index) => ({
      videoId: id,
      startsAtMs: MONDAY_MS - (index + 1) * HOUR_MS,
      endsAtMs: MONDAY_MS - index * HOUR_MS,
    }))
    const plan = planSchedule(inputOf(document, { library: videos, history }))
    const order = plan.programmes.slice(0, 20).map((one) => one.videoId)
    expect(order).toEqual(videos.map(({ id }) => id).reverse())
  })
})

describe('exclusions', () => {
  const document: ScheduleDocument = {
    timeZone: 'America/Los_Angeles',
    defaultSource: 'all',
    sources: { all: { kind: 'smart', where: {} } },
  }
  const videos = library.slice(0, 30)
  const plan = (change: Partial<ScheduleDocument>, given = videos) =>
    planSchedule(inputOf({ ...document, ...change }, { library: given, toMs: MONDAY_MS + 2 * DAY_MS }))
      .programmes

  test('a video does not start before the local date until which it is excluded, and does afterwards', () => {
    const airings = plan({ exclusions: [{ videoId: videoId(3), untilDate: '2026-11-24' }] }).filter(
      (programme) => programme.videoId === videoId(3),
    )
    expect(airings.length).toBeGreaterThan(0)
    expect(Math.min(...airings.map(({ startsAtMs }) => startsAtMs))).toBeGreaterThanOrEqual(
      Date.UTC(2026, 10, 24, 8),
    )
  })

  test('an artist excluded by a block is not played in it, and is played outside it', () => {
    const artist = videos[0]?.artistName ?? ''
    const byArtist = new Set(videos.filter(({ artistName }) => artistName === artist).map(({ id }) => id))
    const morning = {
      id: 'morning',
      name: 'Morning',
      days: ['mon' as const, 'tue' as const],
      from: '06:00',
      to: '12:00',
      source: 'all',
      rules: { excludedArtists: [` ${artist.toUpperCase()}`] },
    }
    const airings = plan({ blocks: [morning] }).filter((programme) => byArtist.has(programme.videoId ?? ''))
    expect(airings.length).toBeGreaterThan(0)
    expect(airings.filter(({ reason }) => reason.blockId === 'morning')).toEqual([])
  })

  test('an artist is excluded and separated in every spelling that looks the same', () => {
    const spellings = ['Beyoncé', 'Beyonce\u0301', '\u202aBeyoncé\u202c', 'BEYONCE\u0301\u200b']
    const spelt = videos.map((video, index) =>
      index % 7 === 0 ? { ...video, artistName: spellings[index % spellings.length] ?? '' } : video,
    )
    const byArtist = new Set(
      spelt.flatMap(({ id, artistName }) => (spellings.includes(artistName) ? id : [])),
    )
    for (const spelling of spellings) {
      const rules = { excludedArtists: [spelling] }
      const airings = plan({ rules }, spelt).filter(({ videoId }) => byArtist.has(videoId ?? ''))
      expect(airings).toEqual([])
    }
    expect(new Set(spellings.map((artistName) => artistKey({ id: 'x', artistName }))).size).toBe(1)
  })

  test('artists excluded by the channel are excluded in a block with its own list too', () => {
    const [first = '', second = ''] = [...new Set(videos.map(({ artistName }) => artistName))]
    const block = {
      id: 'day',
      name: 'Day',
      days: ['mon' as const],
      from: '00:00',
      to: '24:00',
      source: 'all',
    }
    const programmes = plan({
      rules: { excludedArtists: [first] },
      blocks: [{ ...block, rules: { excludedArtists: [second] } }],
    }).filter(({ reason }) => reason.blockId === 'day')
    const artists = new Set(
      programmes.map((programme) => videos.find(({ id }) => id === programme.videoId)?.artistName),
    )
    expect(artists.size).toBeGreaterThan(0)
    expect([artists.has(first), artists.has(second)]).toEqual([false, false])
  })
})

describe('sources that cannot provide', () => {
  const hour = {
    id: 'hour',
    name: 'Hour',
    days: ['mon' as const],
    from: '01:00',
    to: '02:00',
    start: 'hard' as const,
  }

  test('an empty source is replaced by the default source', () => {
    const document: ScheduleDocument = {
      timeZone: 'UTC',
      defaultSource: 'all',
      sources: {
        all: { kind: 'smart', where: {} },
        none: { kind: 'smart', where: { text: 'no such video' } },
      },
      blocks: [{ ...hour, source: 'none' }],
    }
    const { programmes } = planSchedule(inputOf(document))
    expect(programmes.every(({ kind }) => kind !== 'ident')).toBe(true)
  })

  test('cards fill the time in which hard rules forbid everything', () => {
    const document: ScheduleDocument = {
      timeZone: 'UTC',
      defaultSource: 'all',
      sources: { all: { kind: 'smart', where: {} } },
      rules: { videoSeparationHours: { value: 6, strength: 'hard' } },
    }
    const videos = exampleLibrary(3)
    const input = inputOf(document, { library: videos })
    const { programmes } = planSchedule(input)
    expect(faultsOf(document, videos, [], programmes, input.fromMs, input.toMs)).toEqual([])
    expect(programmes.filter(({ kind }) => kind === 'video')).toHaveLength(12)
  })

  test('an empty library is filled with cards', () => {
    const document: ScheduleDocument = {
      timeZone: 'UTC',
      defaultSource: 'all',
      sources: { all: { kind: 'smart', where: {} } },
    }
    const { programmes } = planSchedule(inputOf(document, { library: [], playlists: new Map() }))
    expect(programmes.every(({ kind }) => kind === 'ident')).toBe(true)
  })
})

describe('any schedule', { timeout: 60_000 }, () => {
  const days = fc.uniqueArray(fc.constantFrom('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'), {
    minLength: 1,
  })
  const rule = (max: number) =>
    fc.record({ value: fc.integer({ min: 1, max }), strength: fc.constantFrom('hard', 'soft') })
  const rules = fc.record(
    {
      artistSeparationMinutes: rule(90),
      videoSeparationHours: rule(8),
      maxAiringsPerDay: rule(6),
      maxDurationMinutes: rule(12),
      excludedArtists: fc.subarray(library.slice(0, 12).map(({ artistName }) => artistName)),
    },
    { requiredKeys: [] },
  )
  /** Up to 6 blocks, one after the other, so that they do not overlap. */
  const blocks = fc
    .array(
      fc.record({
        days,
        start: fc.constantFrom('hard', 'soft'),
        minutes: fc.integer({ min: 1, max: 300 }),
        pauseMinutes: fc.integer({ min: 0, max: 120 }),
        content: fc.constantFrom(
          { clock: 'mixed' },
          { source: 'list' },
          { source: 'jazz' },
          { source: 'all' },
        ),
        rules: fc.option(rules, { nil: undefined }),
      }),
      { maxLength: 6 },
    )
    .map((parts) => {
      let minute = 0
      return parts.flatMap(({ minutes, pauseMinutes, content, ...rest }, index) => {
        const from = minute + pauseMinutes
        minute = from + minutes
        return minute > 1440
          ? []
          : [{ id: `b${index}`, name: `B${index}`, from: time(from), to: time(minute), ...rest, ...content }]
      })
    })
  const documents = fc.record({
    timeZone: fc.constantFrom(
      'UTC',
      'America/Los_Angeles',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'America/Havana',
    ),
    defaultSource: fc.constantFrom('all', 'list'),
    sources: fc.record({
      all: fc.record({
        kind: fc.constant('smart'),
        where: fc.constant({}),
        order: fc.constantFrom('shuffle', 'leastRecentlyAired', 'newestFirst', 'mostLiked'),
      }),
      jazz: fc.constant({ kind: 'smart', where: { genres: ['Jazz'] } }),
      list: fc.record({ kind: fc.constant('playlist'), order: fc.constantFrom('playlist', 'shuffle') }),
    }),
    clocks: fc.constant({
      mixed: [
        { ident: 'station', durationMs: 8000 },
        { source: 'jazz', count: 2 },
        { source: 'all', durationMs: 600_000 },
      ],
    }),
    blocks,
    rules,
    exclusions: fc.array(
      fc.record({
        videoId: fc.constantFrom(...library.slice(0, 12).map(({ id }) => id)),
        untilDate: fc.constantFrom('2026-11-01', '2026-11-02', '2026-12-01'),
      }),
      { maxLength: 1 },
    ),
  }) as fc.Arbitrary<ScheduleDocument>
  // From Saturday to Tuesday across clock changes of several zones, and from any millisecond of it.
  const starts = fc.integer({ min: Date.UTC(2026, 9, 31), max: Date.UTC(2026, 10, 2) })
  const sizes = fc.constantFrom(1, 3, 12, 60)

  test('is planned without gap, overlap, missed hard start or breached hard rule', () => {
    fc.assert(
      fc.property(documents, starts, sizes, (document, fromMs, size) => {
        const videos = library.slice(0, size)
        const input = inputOf(document, { fromMs, toMs: fromMs + DAY_MS, library: videos })
        const { programmes } = planSchedule(input)
        expect(faultsOf(document, videos, [], programmes, input.fromMs, input.toMs)).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  test('gives the same programmes in steps of any length', () => {
    fc.assert(
      fc.property(
        documents,
        starts,
        sizes,
        fc.integer({ min: 60_000, max: 8 * HOUR_MS }),
        (document, fromMs, size, stepMs) => {
          const input = inputOf(document, {
            fromMs,
            toMs: fromMs + 12 * HOUR_MS,
            library: library.slice(0, size),
          })
          const whole = planSchedule(input).programmes
          expect(planInSteps(input, stepMs).programmes.slice(0, whole.length)).toEqual(whole)
        },
      ),
      { numRuns: 25 },
    )
  })
})

function time(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
