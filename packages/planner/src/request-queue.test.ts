import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { type Currency, loadsAfter, rank } from '@looptide/fairness/ranking'
import { type Ballot, chargeVotes, countBallots } from '@looptide/fairness/votes'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LibraryVideo } from './library.ts'
import { LocalDays } from './local-days.ts'
import { operationsOf } from './log-commands.ts'
import type { PlanInput, QueuedRequest, RequestInput, ScheduledProgramme } from './plan.ts'
import { planSchedule, replaySchedule } from './plan-schedule.ts'
import { MAX_CHARGED } from './request-pool.ts'
import { AirHistory, effectiveRules, RuleCheck } from './rules.ts'
import { exampleLibrary } from './testing/example-library.ts'
import { exampleSchedule } from './testing/example-schedule.ts'

const HOUR_MS = 3_600_000
const MONDAY_MS = Date.UTC(2026, 10, 23)
const library: readonly LibraryVideo[] = exampleLibrary(60)
const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** A channel that airs a video of the library, a request by turns and one by votes, again and again. */
const document: ScheduleDocument = {
  timeZone: 'Etc/UTC',
  defaultSource: 'all',
  sources: { all: { kind: 'smart', where: {}, order: 'shuffle' } },
  clocks: {
    mixed: [
      { source: 'all', count: 1 },
      { source: 'requests', fallback: 'all' },
      { source: 'votes', fallback: 'all' },
    ],
  },
  blocks: [{ id: 'day', name: 'Day', days: [...EVERY_DAY], from: '00:00', to: '24:00', clock: 'mixed' }],
  rules: {
    artistSeparationMinutes: { value: 20, strength: 'hard' },
    videoSeparationHours: { value: 2, strength: 'hard' },
    maxDurationMinutes: { value: 6, strength: 'soft' },
  },
}

const inputOf = (requests: RequestInput | undefined, change: Partial<PlanInput> = {}): PlanInput => ({
  ...{ document, library, playlists: new Map(), history: [], seed: 'seed', state: null },
  ...{ fromMs: MONDAY_MS, toMs: MONDAY_MS + 3 * HOUR_MS },
  ...(requests && { requests }),
  ...change,
})

const queue = (change: Partial<RequestInput> = {}): RequestInput => ({
  ...{ sequence: 7, requests: [], turns: [], votes: [], taken: [], decided: [], decidedUntilMs: 0 },
  ...change,
})

const requestFor = (index: number, videoId: string, isPinned = false): QueuedRequest => {
  const durationMs = library.find(({ id }) => id === videoId)?.durationMs ?? 180_000
  return {
    id: `request-${String(index).padStart(2, '0')}`,
    videoId,
    durationMs,
    requestedAtMs: index,
    isPinned,
  }
}

/** Queues of up to 25 requests, some of videos that do not exist, with random ballots. */
const queues = fc
  .record({
    videos: fc.array(fc.nat({ max: library.length + 3 }), { maxLength: 25 }),
    pinned: fc.nat({ max: 10 }),
    hasDecided: fc.boolean(),
    accounts: fc.integer({ min: 1, max: 6 }),
    votes: fc.array(
      fc.record({ load: fc.integer({ min: -1e9, max: 1e9 }), approved: fc.uniqueArray(fc.nat({ max: 24 })) }),
      { maxLength: 12 },
    ),
  })
  .map(({ videos, pinned, hasDecided, accounts, votes }) => {
    const requests = videos.map((index, at) =>
      requestFor(at, library[index]?.id ?? `gone-${index}`, at > 0 && at === pinned),
    )
    const turns = Array.from({ length: accounts }, (_, account) => ({
      load: account * 1000,
      approved: requests.filter((_one, at) => at % accounts === account).map(({ id }) => id),
    }))
    const named = votes.map(({ load, approved }) => ({
      load,
      approved: approved.flatMap((at) => requests[at]?.id ?? []),
    }))
    const [one] = requests
    const decided = one && {
      ...{ id: one.id, videoId: one.videoId, currency: 'turn' as const, sequence: 7, passedOver: [] },
    }
    return queue({
      ...{ requests, turns, votes: named },
      ...(hasDecided && decided && { decided: [decided], decidedUntilMs: MONDAY_MS + HOUR_MS }),
    })
  })

const requestsIn = (programmes: readonly ScheduledProgramme[]) =>
  programmes.flatMap((programme) =>
    programme.reason.request === undefined ? [] : [{ programme, request: programme.reason.request }],
  )

/** The rules as they are when a programme begins, computed from the programmes before it. */
function checkAt(programmes: readonly ScheduledProgramme[], programme: ScheduledProgramme): RuleCheck {
  const before = programmes.slice(0, programmes.indexOf(programme))
  const history = new AirHistory(library, new LocalDays(document.timeZone), before)
  return new RuleCheck(effectiveRules(document, undefined), history, programme.startsAtMs)
}

describe('a plan with requests', () => {
  test('airs each request of the queue at most once, in a slot of its currency', () => {
    fc.assert(
      fc.property(queues, (requests) => {
        const found = requestsIn(planSchedule(inputOf(requests)).programmes)
        const videoOf = new Map(requests.requests.map(({ id, videoId }) => [id, videoId]))
        expect(new Set(found.map(({ request }) => request.id)).size).toBe(found.length)
        for (const { programme, request } of found) {
          expect(videoOf.get(request.id)).toBe(programme.videoId)
          expect(programme.itemId).toBe(request.id)
          expect(request.sequence).toBe(7)
          expect(programme.reason.source).toBe(request.currency === 'vote' ? 'votes' : 'requests')
          expect(programme.isCutShort).toBe(false)
        }
      }),
    )
  })

  test('names the rule that forbids each request that it passes over, and breaks no hard rule', () => {
    fc.assert(
      fc.property(queues, (requests) => {
        const { programmes } = planSchedule(inputOf(requests))
        const videoOf = new Map(requests.requests.map(({ id, videoId }) => [id, videoId]))
        for (const { programme, request } of requestsIn(programmes)) {
          const check = checkAt(programmes, programme)
          expect(check.forbiddenBy(programme.videoId ?? '')).toBeUndefined()
          for (const { request: id, rule } of request.passedOver) {
            const videoId = videoOf.get(id) ?? ''
            const isKnown = library.some((video) => video.id === videoId)
            expect(rule).toBe(isKnown ? check.forbiddenBy(videoId) : 'notPlayable')
          }
        }
      }),
    )
  })

  test.each<Currency>(['turn', 'vote'])(
    'passes over, of its first decision by %s, all that were ranked before the winner',
    (currency) => {
      fc.assert(
        fc.property(queues, (requests) => {
          const found = requestsIn(planSchedule(inputOf(requests)).programmes)
          const first = found.find(({ request }) => request.currency === currency)
          const isNotRanked = (id: string) =>
            requests.decided.some((one) => one.id === id) ||
            requests.requests.some((one) => one.id === id && one.isPinned)
          if (first === undefined || isNotRanked(first.request.id)) return
          const earlier = new Set(found.slice(0, found.indexOf(first)).map(({ request }) => request.id))
          const waiting = requests.requests.filter(({ id, isPinned: pin }) => !pin && !earlier.has(id))
          const ballots = currency === 'vote' ? requests.votes : requests.turns
          const { id, passedOver } = first.request
          expect([...passedOver.map(({ request }) => request), id]).toEqual(
            rank(currency, ballots, waiting).slice(0, passedOver.length + 1),
          )
        }),
      )
    },
  )

  test('is the same again, and continues in the same way from its programmes', () => {
    fc.assert(
      fc.property(queues, fc.nat({ max: 8 }), (requests, kept) => {
        const input = inputOf(requests)
        const whole = planSchedule(input)
        expect(planSchedule(input)).toEqual(whole)
        const before = whole.programmes.slice(0, kept)
        const fromMs = before.at(-1)?.endsAtMs ?? MONDAY_MS
        const state = kept === 0 ? null : replaySchedule(inputOf(undefined), before.map(toReplayed))
        const taken = requestsIn(before).map(({ request }) => request)
        const rest = planSchedule(inputOf({ ...requests, taken }, { fromMs, state, history: before }))
        expect(rest.programmes).toEqual(whole.programmes.slice(kept))
      }),
    )
  })

  test('is the plan without requests, if no clock has a slot for them', () => {
    const without = { ...exampleSchedule('Europe/Berlin'), clocks: { ...exampleSchedule('UTC').clocks } }
    without.clocks = { ...without.clocks, mixed: [{ source: 'everything', durationMs: 900_000 }] }
    fc.assert(
      fc.property(queues, (requests) => {
        const { programmes, state } = planSchedule(inputOf(requests, { document: without }))
        expect({ programmes, state }).toEqual(planSchedule(inputOf(undefined, { document: without })))
      }),
      { numRuns: 10 },
    )
  })
})

const toReplayed = (programme: ScheduledProgramme) => ({ ...programme, startsCycle: null })

/** Videos of different artists. */
const [first, second, third] = library
  .filter((video, index) => library.findIndex(({ artistName }) => artistName === video.artistName) === index)
  .map(({ id }) => id) as [string, string, string]

const turnsOf = (...requests: QueuedRequest[]) => ({
  requests,
  turns: requests.map(({ id }) => ({ load: 0, approved: [id] })),
})
const plannedIn = (requests: RequestInput | undefined, change: Partial<PlanInput> = {}): string[] =>
  requestsIn(planSchedule(inputOf(requests, change)).programmes).map(({ request }) => request.id)

test('slots for requests use their fallback without requests, and if rules forbid all of them', () => {
  expect(plannedIn(undefined)).toEqual([])
  const artist = library.find(({ id }) => id === first)?.artistName ?? ''
  const requests = queue(turnsOf(requestFor(0, first)))
  const rules = { excludedArtists: [artist] }
  const plan = planSchedule(inputOf(requests, { document: { ...document, rules } }))
  expect(plan.programmes.some(({ reason }) => reason.slot === 1 && reason.source === 'all')).toBe(true)
  expect(requestsIn(plan.programmes)).toEqual([])
  expect(plan.blocked).toEqual([{ id: 'request-00', rule: 'excludedArtists', untilMs: null }])
})

test('a request whose video is gone is reported, and does not keep the others waiting', () => {
  const requests = queue(turnsOf(requestFor(0, 'gone'), requestFor(1, first)))
  const plan = planSchedule(inputOf(requests, { document: { ...document, rules: {} } }))
  expect(requestsIn(plan.programmes).map(({ request }) => request)).toEqual([
    {
      ...{ id: 'request-01', currency: 'turn', sequence: 7 },
      passedOver: [{ request: 'request-00', rule: 'notPlayable' }],
    },
  ])
  expect(plan.blocked).toEqual([{ id: 'request-00', rule: 'notPlayable', untilMs: null }])
})

test('a pinned request whose video is gone is reported, and passes to the next one', () => {
  const requests = queue(turnsOf(requestFor(0, 'gone', true), requestFor(1, first)))
  const plan = planSchedule(inputOf(requests, { document: { ...document, rules: {} } }))
  expect(requestsIn(plan.programmes).map(({ request }) => request)).toEqual([
    { id: 'request-01', currency: 'turn', sequence: 7, passedOver: [] },
  ])
  expect(plan.blocked).toEqual([{ id: 'request-00', rule: 'notPlayable', untilMs: null }])
})

test('a pinned request comes first and passes nobody over', () => {
  const requests = queue(turnsOf(requestFor(0, first), requestFor(1, second, true), requestFor(2, third)))
  const change = { document: { ...document, rules: {} } }
  const found = requestsIn(planSchedule(inputOf(requests, change)).programmes)
  expect(found[0]?.request).toEqual({ id: 'request-01', currency: 'turn', sequence: 7, passedOver: [] })
  expect(plannedIn(requests, change)).toEqual(['request-01', 'request-00', 'request-02'])
})

test('slots that have been announced take only decided requests', () => {
  const requests = { ...turnsOf(requestFor(0, first)), announcedUntilMs: MONDAY_MS + HOUR_MS }
  const isRequest = ({ reason }: ScheduledProgramme) => reason.request !== undefined
  const found = planSchedule(inputOf(queue(requests))).programmes.filter(isRequest)
  expect(found).toHaveLength(1)
  expect(found[0]?.startsAtMs).toBeGreaterThanOrEqual(MONDAY_MS + HOUR_MS)
})

test('a decided request comes first until its time is over, with the queue that decided it', () => {
  const request = { id: 'request-09', currency: 'turn' as const, sequence: 3, passedOver: [] }
  const requests = { ...turnsOf(requestFor(0, first)), decided: [{ ...request, videoId: second }] }
  const change = { document: { ...document, rules: {} } }
  const found = (decidedUntilMs: number) =>
    requestsIn(planSchedule(inputOf(queue({ ...requests, decidedUntilMs }), change)).programmes)
  expect(found(MONDAY_MS + 20 * 60_000).map((one) => one.request)).toEqual([
    request,
    { id: 'request-00', currency: 'turn', sequence: 7, passedOver: [] },
  ])
  expect(found(MONDAY_MS).map((one) => one.request.id)).toEqual(['request-00'])
})

test('a request that an edit of the log leaves out or replaces is not aired, and no account is charged', () => {
  const [a, b] = [requestFor(0, first), requestFor(1, second)]
  const both = { requests: [a, b], turns: [{ load: 0, approved: [a.id, b.id] }] }
  const change = { document: { ...document, rules: {} } }
  const planned = planSchedule(inputOf(queue(both), change)).programmes
  const index = planned.findIndex(({ itemId }) => itemId === a.id)
  for (const command of [
    { action: 'skip' as const, programme: index },
    { action: 'swap' as const, programme: index, with: index + 1 },
  ]) {
    const ids = ['edit-1', 'edit-2']
    const edits = operationsOf(command, planned, () => ids.shift() ?? '') ?? []
    expect(edits.length).toBeGreaterThan(0)
    expect(plannedIn(queue(both), { ...change, edits })).toEqual([b.id])
  }
})

test('the guide of several hours has fair turns: the winner of a slot is charged before the next one', () => {
  const own = [requestFor(0, first), requestFor(1, second)]
  const other = requestFor(2, third)
  const turns = [own, [other]].map((requests) => ({ load: 0, approved: requests.map(({ id }) => id) }))
  const requests = queue({ requests: [...own, other], turns })
  const change = { document: { ...document, rules: {} } }
  expect(plannedIn(requests, change)).toEqual([own[0]?.id, other.id, own[1]?.id])
})

/** More requests than a plan takes, each with at least one of as many voters, who are also the accounts of the requests. */
const longQueues = fc
  .array(
    fc.record({
      load: fc.nat({ max: 1e9 }),
      approved: fc.uniqueArray(fc.nat({ max: 129 }), { maxLength: 5 }),
    }),
    { minLength: 130, maxLength: 130 },
  )
  .map((voters) => {
    const requests = voters.map((_voter, at) => requestFor(at, library[at % library.length]?.id ?? ''))
    const own = (at: number) => requests[at]?.id ?? ''
    return queue({
      requests,
      turns: voters.map(({ load }, at) => ({ load, approved: [own(at)] })),
      votes: voters.map(({ load, approved }, at) => ({
        load,
        approved: [...new Set([at, ...approved])].map(own),
      })),
    })
  })

/** The requests that win one slot after the other if no rule forbids one, without a limit. */
function winnersOf(currency: Currency, { requests, turns, votes }: RequestInput): string[] {
  const account = (at: number) => ({ account: String(at), network: String(at) })
  const cast = votes.map(({ approved }, at) => ({ approved, sinceMs: 0, ...account(at) }))
  let voters: Ballot[] = votes.map((ballot, at) => ({ ...ballot, ...account(at) }))
  let accounts = turns
  let waiting = requests
  const winners: string[] = []
  for (;;) {
    const [first] = rank(currency, currency === 'vote' ? voters : accounts, waiting)
    const winner = waiting.find(({ id }) => id === first)
    if (winner === undefined) return winners
    winners.push(winner.id)
    waiting = waiting.filter((one) => one !== winner)
    const loads = loadsAfter('turn', accounts, winner)
    if (currency === 'vote') voters = countBallots(chargeVotes(voters, { ...winner, account: '' }), cast)
    else accounts = accounts.map(({ approved }, at) => ({ approved, load: loads[at] ?? 0 }))
  }
}

test.each<[string, Currency]>([
  ['requests', 'turn'],
  ['votes', 'vote'],
])(
  'slots for %s take the first 100 winners of a queue, in one plan or two, and then their fallback',
  (source, currency) => {
    const clocks = { mixed: [{ source, fallback: 'all' }] }
    const change = {
      document: { ...document, clocks, rules: {} },
      toMs: MONDAY_MS + 12 * HOUR_MS,
    }
    fc.assert(
      fc.property(longQueues, fc.integer({ min: 1, max: MAX_CHARGED }), (requests, kept) => {
        const winners = winnersOf(currency, requests)
        expect(winners.length).toBeGreaterThan(MAX_CHARGED)
        const { programmes } = planSchedule(inputOf(requests, change))
        expect(requestsIn(programmes).map(({ request }) => request.id)).toEqual(winners.slice(0, MAX_CHARGED))
        expect(programmes.length).toBeGreaterThan(MAX_CHARGED)
        const taken = winners.slice(0, kept).map((id) => ({ id, currency }))
        expect(plannedIn({ ...requests, taken }, change)).toEqual(winners.slice(kept, MAX_CHARGED))
      }),
      { numRuns: 20 },
    )
  },
)
