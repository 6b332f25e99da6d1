import { type Random, randomIndex, seededRandom } from '@looptide/playhead/random'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rank } from './ranking.ts'
import { EVENINGS_TIMEOUT_MS, evenings } from './testing/config.ts'
import { castBallots, playVoteSlot, requestOf, type Vote, voteOf } from './testing/vote-slot.ts'
import { type Ballot, countBallots, type VoteState } from './votes.ts'
import type { WaitingRequest } from './waiting-request.ts'
import { SLOT } from './water-level.ts'

const WAITING = 8

/** An evening with requests that wait until they are aired; then another one takes their place. */
class Evening {
  readonly #random: Random
  #made = 0
  state: VoteState = []
  requests: WaitingRequest[] = []
  votes: Vote[] = []

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  chance(probability: number): boolean {
    return this.#random() < probability
  }

  index(limit: number): number {
    return randomIndex(this.#random, limit)
  }

  /** Adds a request that each voter approves with a probability of its own. */
  add(voters: readonly string[]): void {
    const request = requestOf(`r${this.#made}`, this.#made)
    this.#made += 1
    const appeal = this.#random() ** 2
    this.requests.push(request)
    for (const voter of voters) if (this.chance(appeal)) this.vote(voter, request.id)
  }

  vote(voter: string, requestId: string): void {
    this.votes.push(voteOf(voter, requestId, this.#made))
  }

  /** Lets every voter who approves nothing approve something, so that all of them count. */
  completeBallots(voters: readonly string[]): void {
    const voting = new Set(this.votes.map(({ account }) => account))
    for (const voter of voters)
      if (!voting.has(voter)) this.vote(voter, this.requests[this.index(this.requests.length)]?.id ?? '')
  }

  play(mayAir?: (id: string) => boolean): { ballots: Ballot[]; winner: WaitingRequest | undefined } {
    const slot = playVoteSlot(this.state, this.votes, this.requests, mayAir)
    this.state = slot.state
    if (slot.winner !== undefined) this.remove(slot.winner.id)
    return slot
  }

  remove(requestId: string): void {
    this.requests = this.requests.filter(({ id }) => id !== requestId)
    this.votes = this.votes.filter((vote) => vote.requestId !== requestId)
  }
}

const named = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}`)

/** The request that the whole group approves; makes one if there is none. */
function sharedRequest(evening: Evening, group: readonly string[], others: readonly string[]): string {
  const [first] = group
  const shared = evening.requests.find(({ id }) =>
    group.every((voter) => evening.votes.some((vote) => vote.account === voter && vote.requestId === id)),
  )
  if (shared !== undefined || first === undefined) return shared?.id ?? ''
  evening.add(others)
  const id = evening.requests.at(-1)?.id ?? ''
  for (const voter of group) evening.vote(voter, id)
  return id
}

const isLikedBy = (group: readonly string[], ballots: readonly Ballot[], winner: WaitingRequest): boolean =>
  ballots.some(({ account, approved }) => group.includes(account) && approved.includes(winner.id))

const sizes = fc.record({
  seed: fc.integer(),
  groupSize: fc.integer({ min: 1, max: 15 }),
  otherSize: fc.integer({ min: 1, max: 30 }),
  slots: fc.integer({ min: 1, max: 40 }),
  /** The part of the others who vote as one bloc. */
  bloc: fc.double({ min: 0, max: 1, noNaN: true }),
  forbidden: fc.double({ min: 0, max: 0.9, noNaN: true }),
})

describe('a group of voters who always agree', () => {
  test(
    'has its share of the slots, rounded down, while rules forbid requests',
    () => {
      fc.assert(
        fc.property(sizes, ({ seed, groupSize, otherSize, slots, bloc, forbidden }) => {
          const evening = new Evening(seed)
          const group = named('group', groupSize)
          const others = named('other', otherSize)
          const united = others.slice(0, Math.floor(bloc * otherSize))
          let allowedSlots = 0
          let won = 0
          for (let slot = 0; slot < slots; slot += 1) {
            while (evening.requests.length < WAITING) evening.add(others.slice(united.length))
            if (united.length > 0) sharedRequest(evening, united, [])
            const shared = sharedRequest(evening, group, others)
            evening.completeBallots(others)
            const forbiddenIds = new Set(
              evening.requests.filter(() => evening.chance(forbidden)).map(({ id }) => id),
            )
            const { ballots, winner } = evening.play((id) => !forbiddenIds.has(id))
            if (winner !== undefined && isLikedBy(group, ballots, winner)) won += 1
            if (!forbiddenIds.has(shared)) allowedSlots += 1
            expect(ballots).toHaveLength(groupSize + otherSize)
            expect(won).toBeGreaterThanOrEqual(
              Math.floor((allowedSlots * groupSize) / (groupSize + otherSize)),
            )
          }
        }),
        evenings(60),
      )
    },
    EVENINGS_TIMEOUT_MS,
  )

  test(
    'has its share of the slots, rounded down, while others come and go',
    () => {
      fc.assert(
        fc.property(sizes, ({ seed, groupSize, otherSize, slots, bloc }) => {
          const evening = new Evening(seed)
          const group = named('group', groupSize)
          let others = named('other', otherSize)
          const shares = new Fraction()
          let won = 0
          for (let slot = 0; slot < slots; slot += 1) {
            others = others.map((voter) => (evening.chance(0.2) ? `${voter}.${slot}` : voter))
            const present = others.filter(() => evening.chance(0.8))
            const united = present.slice(0, Math.floor(bloc * present.length))
            evening.votes = evening.votes.filter(
              ({ account }) => group.includes(account) || present.includes(account),
            )
            while (evening.requests.length < WAITING) evening.add(present.slice(united.length))
            if (united.length > 0) sharedRequest(evening, united, [])
            sharedRequest(evening, group, present)
            const { ballots, winner } = evening.play()
            if (winner !== undefined && isLikedBy(group, ballots, winner)) won += 1
            shares.add(groupSize, ballots.length)
            expect(won).toBeGreaterThanOrEqual(shares.floor())
          }
        }),
        evenings(60),
      )
    },
    EVENINGS_TIMEOUT_MS,
  )

  test(
    'that comes late has its share of the slots after what is owed to those who waited before',
    () => {
      fc.assert(
        fc.property(sizes, ({ seed, groupSize, otherSize, slots, bloc, forbidden }) => {
          const evening = new Evening(seed)
          const group = named('late', groupSize)
          const others = named('other', otherSize)
          const united = others.slice(0, Math.floor(bloc * otherSize))
          const fill = () => {
            while (evening.requests.length < WAITING) evening.add(others.slice(united.length))
            if (united.length > 0) sharedRequest(evening, united, [])
            evening.completeBallots(others)
          }
          for (let slot = 0; slot < slots; slot += 1) {
            fill()
            evening.play(() => !evening.chance(forbidden))
          }
          const owed = evening.state.reduce((sum, { load }) => sum + Math.max(0, -load), 0) / SLOT
          let won = 0
          for (let slot = 1; slot <= slots; slot += 1) {
            fill()
            sharedRequest(evening, group, others)
            const { ballots, winner } = evening.play()
            if (winner !== undefined && isLikedBy(group, ballots, winner)) won += 1
            const share = (slot * groupSize) / ballots.length
            expect(won).toBeGreaterThan(share - Math.max(1, owed) - 1e-6)
          }
        }),
        evenings(60),
      )
    },
    EVENINGS_TIMEOUT_MS,
  )
})

/** A sum of fractions, exactly. */
class Fraction {
  #numerator = 0n
  #denominator = 1n

  add(numerator: number, denominator: number): void {
    this.#numerator = this.#numerator * BigInt(denominator) + BigInt(numerator) * this.#denominator
    this.#denominator *= BigInt(denominator)
  }

  floor(): number {
    return Number(this.#numerator / this.#denominator)
  }
}

const slotsOf = (
  names: string,
  votes: readonly Vote[],
  requests: readonly WaitingRequest[],
  slots: number,
) => {
  let state: VoteState = []
  let left = [...requests]
  const winners: string[] = []
  for (let slot = 0; slot < slots; slot += 1) {
    const played = playVoteSlot(
      state,
      votes.filter(({ requestId }) => left.some(({ id }) => id === requestId)),
      left,
    )
    state = played.state
    left = left.filter((request) => request !== played.winner)
    winners.push(played.winner?.id ?? '-')
  }
  return { winners: winners.join(' '), state, names }
}

describe('voters', () => {
  test('whose requests are aired pay, so that a minority is next', () => {
    const votes = [
      ...named('many', 4).flatMap((voter) => ['m1', 'm2', 'm3', 'm4'].map((id) => voteOf(voter, id))),
      ...named('few', 2).flatMap((voter) => ['f1', 'f2'].map((id) => voteOf(voter, id))),
    ]
    const requests = ['m1', 'm2', 'm3', 'm4', 'f1', 'f2'].map((id, index) => requestOf(id, index))
    expect(slotsOf('both', votes, requests, 6).winners).toBe('m1 m2 f1 m3 m4 f2')
  })

  test(
    'have loads whose sum is less than one unit for each of them',
    () => {
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const evening = new Evening(seed)
          const voters = named('voter', 7)
          for (let slot = 0; slot < 20; slot += 1) {
            while (evening.requests.length < WAITING) evening.add(voters)
            evening.completeBallots(voters)
            evening.play()
            const sum = evening.state.reduce((total, { load }) => total + load, 0)
            expect(evening.state.every(({ load }) => Number.isSafeInteger(load))).toBe(true)
            expect(sum).toBeGreaterThanOrEqual(0)
            expect(sum).toBeLessThan(voters.length)
          }
        }),
        evenings(40),
      )
    },
    EVENINGS_TIMEOUT_MS,
  )

  test('who come begin with the mean, and who leave give up what is owed to them', () => {
    const before: VoteState = [
      { account: 'ahead', network: 'a', load: SLOT / 2 },
      { account: 'leaves', network: 'b', load: -SLOT / 4 },
      { account: 'stays', network: 'c', load: -SLOT / 4 },
    ]
    const ballots = countBallots(
      before,
      castBallots(['ahead', 'stays', 'new'].map((voter) => voteOf(voter, 'r'))),
    )
    expect(Object.fromEntries(ballots.map(({ account, load }) => [account, load / SLOT]))).toEqual({
      ahead: 0.375,
      stays: -0.375,
      new: 0,
    })
  })

  test('who leave in debt count until the debt is worked off', () => {
    const votes = [voteOf('one', 'a'), voteOf('two', 'b'), voteOf('two', 'c'), voteOf('two', 'd')]
    const requests = ['a', 'b', 'c', 'd'].map((id, index) => requestOf(id, index))
    const first = playVoteSlot([], votes, requests)
    expect(first.winner?.id).toBe('a')
    const second = playVoteSlot(first.state, votes.slice(1), requests.slice(1))
    expect(
      second.ballots.map(({ account, load, approved }) => [account, load / SLOT, approved.length]),
    ).toEqual([
      ['two', -0.5, 3],
      ['one', 0.5, 0],
    ])
    const third = playVoteSlot(second.state, votes.slice(2), requests.slice(2))
    expect(third.ballots.map(({ account }) => account)).toEqual(['two'])
  })

  test('of one network count at most five times, debtors included, whichever requests they vote for', () => {
    const puppets = named('puppet', 20)
    const requests = named('r', 4).map((id, index) => requestOf(id, index))
    const fromOneNetwork = puppets.map((account, index) => ({
      ...voteOf(account, `r${index % 4}`, index),
      network: 'one network',
    }))
    const others = named('other', 10).map((account) => voteOf(account, 'r9'))
    const ofNetwork = (ballots: readonly Ballot[]) =>
      ballots.filter(({ network }) => network === 'one network').map(({ account }) => account)
    const first = playVoteSlot([], [...fromOneNetwork, ...others], requests)
    expect(first.winner?.id).toBe('r0')
    expect(ofNetwork(first.ballots)).toEqual(puppets.slice(0, 5))
    const next = countBallots(first.state, castBallots([...fromOneNetwork.slice(5), ...others]))
    expect(ofNetwork(next)).toEqual(['puppet5', 'puppet6', 'puppet7', 'puppet0', 'puppet4'])
  })

  test('without a vote collect no claims', () => {
    const idle = { account: 'idle', network: 'idle', sinceMs: 0, approved: [] }
    expect(countBallots([], [idle])).toEqual([])
    expect(countBallots([{ account: 'idle', network: 'idle', load: -SLOT }], [idle])).toEqual([])
  })

  test('count once for a request, from however many tabs they vote', () => {
    const votes = [
      voteOf('a', 'x', 1),
      voteOf('a', 'x', 2),
      voteOf('a', 'x', 3),
      voteOf('b', 'y'),
      voteOf('c', 'y'),
    ]
    expect(rank('vote', countBallots([], castBallots(votes)), [requestOf('x'), requestOf('y')])).toEqual([
      'y',
      'x',
    ])
  })
})
