import { type Random, randomIndex, seededRandom } from '@looptide/playhead/random'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rank } from './ranking.ts'
import { EVENINGS_TIMEOUT_MS, evenings } from './testing/config.ts'
import { chargeTurn, enterTurns, NO_TURNS, type TurnRequest, type TurnState, turnsOf } from './turns.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const requestOf = (account: string, id: string, requestedAtMs: number, minutes = 4): TurnRequest => ({
  id,
  account,
  network: `network of ${account}`,
  requestedAtMs,
  durationMs: Math.round(minutes * MINUTE_MS),
})

interface Turned {
  state: TurnState
  winner: TurnRequest | undefined
}

/** Decides one slot as the station does: enter, rank, first request that the rules allow, charge. */
function playTurn(
  state: TurnState,
  requests: readonly TurnRequest[],
  nowMs: number,
  mayAir: (request: TurnRequest) => boolean = () => true,
): Turned {
  const entered = enterTurns(state, requests, nowMs)
  const byId = new Map(requests.map((request) => [request.id, request]))
  const winner = rank('turn', turnsOf(entered, requests), requests)
    .flatMap((id) => byId.get(id) ?? [])
    .find(mayAir)
  return { winner, state: winner === undefined ? entered : chargeTurn(entered, winner, nowMs) }
}

/** Minutes of music in the order of the winners, with the accounts that won. */
function winnersOf(requests: readonly TurnRequest[], slots: number, state = NO_TURNS, nowMs = 0): string {
  let left = [...requests]
  let current = state
  const winners: string[] = []
  for (let slot = 0; slot < slots; slot += 1) {
    const played = playTurn(current, left, nowMs + slot * 10 * MINUTE_MS)
    current = played.state
    left = left.filter((request) => request !== played.winner)
    winners.push(played.winner?.id ?? '-')
  }
  return winners.join(' ')
}

describe('turns', () => {
  test('count minutes, not songs', () => {
    const long = ['l1', 'l2', 'l3'].map((id, index) => requestOf('long', id, index, 6))
    const short = ['s1', 's2', 's3', 's4'].map((id, index) => requestOf('short', id, index, 2))
    expect(winnersOf([...long, ...short], 7)).toBe('l1 s1 s2 s3 l2 s4 l3')
  })

  test('are decided by the time of the request, then by the id', () => {
    const requests = [requestOf('c', 'r3', 5), requestOf('a', 'r2', 7), requestOf('b', 'r1', 7)]
    expect(winnersOf(requests, 3)).toBe('r3 r1 r2')
  })

  test('of an account that comes late begin with the load of the account served last', () => {
    const early = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'].map((id, index) => requestOf('early', id, index))
    const first = playTurn(NO_TURNS, early, 0)
    const second = playTurn(first.state, early.slice(1), HOUR_MS)
    const late = ['l1', 'l2', 'l3'].map((id, index) => requestOf('late', id, 100 + index))
    expect(winnersOf([...early.slice(2), ...late], 5, second.state, 2 * HOUR_MS)).toBe('l1 e3 l2 e4 l3')
  })

  test('of a request that a rule delays keep their place', () => {
    const requests = [
      requestOf('a', 'a1', 0),
      requestOf('b', 'b1', 1),
      requestOf('b', 'b2', 2),
      requestOf('b', 'b3', 3),
    ]
    let state = NO_TURNS
    for (const slot of [0, 1]) {
      const played = playTurn(
        state,
        requests.slice(0, 4 - slot),
        slot * HOUR_MS,
        ({ account }) => account !== 'a',
      )
      state = played.state
    }
    expect(playTurn(state, requests, 2 * HOUR_MS).winner?.id).toBe('a1')
  })

  test('of an account that leaves and returns count its airings of the last 24 hours', () => {
    const other = ['o1', 'o2', 'o3', 'o4'].map((id, index) => requestOf('other', id, 50 + index))
    const mine = requestOf('me', 'm1', 0)
    const again = requestOf('me', 'm2', 1)
    const aired = playTurn(NO_TURNS, [mine, ...other], 0).state
    const without = enterTurns(aired, other, HOUR_MS)
    expect(winnersOf([...other, again], 2, without, 2 * HOUR_MS)).toBe('o1 m2')
    expect(winnersOf([...other, again], 2, enterTurns(without, other, 25 * HOUR_MS), 26 * HOUR_MS)).toBe(
      'm2 o1',
    )
  })

  test('of one network are five at the same time', () => {
    const requests = Array.from({ length: 8 }, (_, index) => ({
      ...requestOf(`account ${index}`, `r${index}`, index),
      network: 'one network',
    }))
    expect(turnsOf(enterTurns(NO_TURNS, requests, 0), requests)).toHaveLength(5)
  })
})

/** Draws durations of 1 to 15 minutes, in whole ms. */
const durationOf = (random: Random): number => 1 + random() * 14

const parameters = fc.record({
  seed: fc.integer(),
  accounts: fc.integer({ min: 2, max: 25 }),
  slots: fc.integer({ min: 1, max: 60 }),
  forbidden: fc.double({ min: 0, max: 0.9, noNaN: true }),
  newcomers: fc.double({ min: 0, max: 0.5, noNaN: true }),
})

describe('an account that always has a request waiting', () => {
  test(
    'is behind no other by more than one video, in the slots in which a request of its was allowed',
    () => {
      fc.assert(
        fc.property(parameters, ({ seed, accounts, slots, forbidden, newcomers }) => {
          const random = seededRandom(seed)
          const make = (account: string, id: number) => requestOf(account, `r${id}`, id, durationOf(random))
          const names = Array.from({ length: accounts }, (_, index) => `account ${index}`)
          let made = 0
          let requests: TurnRequest[] = []
          let state = NO_TURNS
          let longestMs = 0
          const airedMs = new Map<string, number>()
          /** What others were aired while the account could have been, by the pair of accounts. */
          const passedMs = new Map<string, number>()
          for (let slot = 0; slot < slots; slot += 1) {
            for (const name of names)
              while (requests.filter(({ account }) => account === name).length < 2) {
                requests.push(make(name, made))
                made += 1
              }
            if (random() < newcomers) requests.push(make(`newcomer ${slot}`, made++))
            const forbiddenIds = new Set(requests.filter(() => random() < forbidden).map(({ id }) => id))
            const played = playTurn(state, requests, slot * 5 * MINUTE_MS, ({ id }) => !forbiddenIds.has(id))
            state = played.state
            const { winner } = played
            if (winner === undefined) continue
            longestMs = Math.max(longestMs, winner.durationMs)
            airedMs.set(winner.account, (airedMs.get(winner.account) ?? 0) + winner.durationMs)
            const allowed = new Set(
              requests.filter(({ id }) => !forbiddenIds.has(id)).map(({ account }) => account),
            )
            requests = requests.filter((request) => request !== winner)
            for (const name of names) {
              if (!allowed.has(name) || name === winner.account) continue
              const pair = `${winner.account} before ${name}`
              passedMs.set(pair, (passedMs.get(pair) ?? 0) + winner.durationMs)
              expect(passedMs.get(pair)).toBeLessThanOrEqual((airedMs.get(name) ?? 0) + longestMs)
            }
          }
        }),
        evenings(60),
      )
    },
    EVENINGS_TIMEOUT_MS,
  )
})

test(
  'among 1,000 viewers who request at random and ten who request constantly, aired minutes differ by at most one video',
  () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed)
        const constant = Array.from({ length: 10 }, (_, index) => `constant ${index}`)
        const ready = Array.from({ length: 1000 }, (_, index) =>
          requestOf(`viewer ${index}`, `v${index}`, index, durationOf(random)),
        )
        let requests: TurnRequest[] = []
        let state = NO_TURNS
        let made = 0
        const airedMs = new Map(constant.map((account) => [account, 0]))
        for (let slot = 0; slot < 40; slot += 1) {
          for (const account of constant)
            while (requests.filter((request) => request.account === account).length < 3)
              requests.push(requestOf(account, `c${made++}`, slot, durationOf(random)))
          const viewer = ready[randomIndex(random, ready.length)]
          if (viewer !== undefined && !requests.includes(viewer) && random() < 0.6)
            requests.push({ ...viewer, id: `${viewer.id}.${made++}` })
          const { winner, state: next } = playTurn(state, requests, slot * 4 * MINUTE_MS)
          state = next
          requests = requests.filter((request) => request !== winner)
          if (winner !== undefined)
            airedMs.set(winner.account, (airedMs.get(winner.account) ?? 0) + winner.durationMs)
          const minutes = constant.map((account) => airedMs.get(account) ?? 0)
          expect(Math.max(...minutes) - Math.min(...minutes)).toBeLessThanOrEqual(15 * MINUTE_MS)
          for (const [account, aired] of airedMs)
            if (!constant.includes(account))
              expect(aired).toBeLessThanOrEqual(Math.min(...minutes) + 15 * MINUTE_MS)
        }
      }),
      evenings(8),
    )
  },
  EVENINGS_TIMEOUT_MS,
)

test('while each of 1,000 accounts waits, aired minutes differ by at most one video', () => {
  const random = seededRandom('everyone')
  const names = Array.from({ length: 1010 }, (_, index) => `account ${index}`)
  const waiting = new Map(
    names.map((name, index) => [name, requestOf(name, `${index}`, index, durationOf(random))]),
  )
  const airedMs = new Map(names.map((name) => [name, 0]))
  let state = NO_TURNS
  for (let slot = 0; slot < 150; slot += 1) {
    const { winner, state: next } = playTurn(state, [...waiting.values()], slot)
    state = next
    if (winner === undefined) throw new Error('somebody waits')
    airedMs.set(winner.account, (airedMs.get(winner.account) ?? 0) + winner.durationMs)
    waiting.set(winner.account, requestOf(winner.account, `${winner.id}.`, 2000 + slot, durationOf(random)))
  }
  const minutes = [...airedMs.values()]
  expect(Math.max(...minutes) - Math.min(...minutes)).toBeLessThanOrEqual(15 * MINUTE_MS)
})
