import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AiredPlay, EveningCheck, type PlayResult } from './evening-check.ts'
import { loadsAfter } from './ranking.ts'
import { digestOf, type Receipt, receiptOf } from './receipt.ts'
import { evenings } from './testing/config.ts'
import { playedEvening } from './testing/played-evening.ts'
import { playVoteSlot, requestOf, voteOf } from './testing/vote-slot.ts'
import type { VoteState } from './votes.ts'

const eveningsOf = (slots: number) => fc.integer().map((seed) => playedEvening(seed, slots))

function check(plays: readonly AiredPlay[]): PlayResult[] {
  const evening = new EveningCheck()
  return plays.map((play) => evening.check(play))
}

const isWrong = ({ result }: PlayResult): boolean => result === 'wrong'
const stored = (play: AiredPlay | undefined): Receipt | null => (play?.receipt ?? null) as Receipt | null

/** The places of plays with a receipt. */
const placesOf = (plays: readonly AiredPlay[], currency?: 'vote' | 'turn'): number[] =>
  plays.flatMap((play, index) =>
    play.currency !== null && (currency === undefined || play.currency === currency) ? [index] : [],
  )

/** A play whose receipt a hostile station has changed and signed again. */
function forged(play: AiredPlay, change: Partial<Receipt>): AiredPlay {
  const content = { ...stored(play), ...change } as Receipt
  const winner = content.requests.find(({ id }) => id === content.winner)
  const ballots = content.ballots.map(({ approved }, index) => ({
    approved,
    load: content.loadsBefore[index] ?? 0,
  }))
  if (winner !== undefined) content.loadsAfter = loadsAfter(content.currency, ballots, winner)
  const digest = digestOf(content)
  return { ...play, digest, receipt: { ...content, digest } }
}

describe('an evening', () => {
  test('is verified as it was played, and every decision follows from the one before of its currency', () => {
    fc.assert(
      fc.property(eveningsOf(30), (plays) => {
        const results = check(plays)
        expect(results.filter(isWrong)).toEqual([])
        for (const [index, { currency }] of plays.entries()) {
          if (currency === null) expect(results[index]).toEqual({ result: 'pinned' })
          else
            expect(results[index]).toMatchObject({
              ...{ result: 'verified', receipt: plays[index]?.receipt },
              isLinked: plays.slice(0, index).some((earlier) => earlier.currency === currency),
            })
        }
      }),
      evenings(100),
    )
  })

  test('is wrong at a play of which any field was changed, or whose receipt is missing or that of another', () => {
    fc.assert(
      fc.property(eveningsOf(12), fc.nat(), fc.nat(), (plays, at, field) => {
        const places = placesOf(plays)
        const place = places[at % places.length] ?? 0
        const play = plays[place] as AiredPlay
        const receipt = stored(play) as Receipt
        const other = plays.find(({ requestId }) => requestId !== play.requestId) as AiredPlay
        const changes: Partial<AiredPlay>[] = [
          { receipt: null },
          { digest: null },
          { digest: '0'.repeat(64) },
          { currency: null },
          { currency: play.currency === 'vote' ? 'turn' : 'vote' },
          { requestId: other.requestId },
          { receipt: other.receipt },
          { receipt: { ...receipt, winner: other.requestId } },
          { receipt: { ...receipt, isConsistent: false } },
          { receipt: { ...receipt, order: receipt.order.slice(1) } },
          { receipt: { ...receipt, ballots: receipt.ballots.slice(1) } },
          { receipt: { ...receipt, loadsBefore: receipt.loadsBefore.map((load) => load + 1) } },
          { startedAtMs: (plays[place - 1]?.startedAtMs ?? play.startedAtMs) - 1 },
        ]
        const change = changes[field % changes.length]
        const results = check(plays.toSpliced(place, 1, { ...play, ...change }))
        // The first play may start earlier: nothing is known of the time before.
        if (place === 0 && change?.startedAtMs !== undefined) return
        expect(results.some(isWrong)).toBe(true)
      }),
      evenings(300),
    )
  })

  test('is wrong if the winner or the order of a receipt was changed and the receipt signed again', () => {
    fc.assert(
      fc.property(eveningsOf(12), fc.nat(), (plays, at) => {
        const places = placesOf(plays).filter((place) => (stored(plays[place])?.order.length ?? 0) > 1)
        const place = places[at % places.length]
        if (place === undefined) return
        const play = plays[place] as AiredPlay
        const { order, winner } = stored(play) as Receipt
        const loser = order.find((id) => id !== winner) as string
        for (const change of [{ winner: loser }, { order: order.toReversed() }]) {
          const given = { ...forged(play, change), requestId: change.winner ?? winner }
          expect(check(plays.toSpliced(place, 1, given)).some(isWrong)).toBe(true)
        }
      }),
      evenings(200),
    )
  })

  test('is wrong if a debt was invented, increased or forgiven, even if the receipt was signed again', () => {
    fc.assert(
      fc.property(
        eveningsOf(20),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 1e9 }),
        (plays, at, whose, by) => {
          const places = placesOf(plays, 'vote').slice(1)
          const place = places[at % places.length]
          if (place === undefined) return
          const play = plays[place] as AiredPlay
          const { loadsBefore } = stored(play) as Receipt
          const index = whose % loadsBefore.length
          const load = loadsBefore[index] ?? 0
          const changed = load > 0 ? (whose % 2 === 0 ? 0 : load + by) : by
          const given = forged(play, { loadsBefore: loadsBefore.with(index, changed) })
          expect(check(plays.toSpliced(place, 1, given)).some(isWrong)).toBe(true)
        },
      ),
      evenings(300),
    )
  })

  test('is wrong if a load of turns is lower than any that was left, even if the receipt was signed again', () => {
    fc.assert(
      fc.property(eveningsOf(30), fc.nat(), fc.nat(), (plays, at, whose) => {
        const places = placesOf(plays, 'turn').slice(1)
        const place = places[at % places.length]
        if (place === undefined) return
        const play = plays[place] as AiredPlay
        const { loadsBefore } = stored(play) as Receipt
        const given = forged(play, { loadsBefore: loadsBefore.with(whose % loadsBefore.length, -1) })
        expect(check(plays.toSpliced(place, 1, given)).some(isWrong)).toBe(true)
      }),
      evenings(200),
    )
  })

  test('is wrong if a play is listed twice', () => {
    fc.assert(
      fc.property(eveningsOf(12), fc.nat(), (plays, at) => {
        const place = at % plays.length
        const twice = plays.toSpliced(place + 1, 0, plays[place] as AiredPlay)
        expect(check(twice)[place + 1]).toMatchObject({ result: 'wrong', fault: 'aired' })
      }),
      evenings(50),
    )
  })

  test('is wrong if a play was left out, as far as the same voters go on', () => {
    const requests = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'].map((id, index) => requestOf(id, index))
    const voters = [
      { account: 'one', likes: 'a' },
      { account: 'two', likes: 'a' },
      { account: 'three', likes: 'b' },
    ]
    const aired = new Set<string>()
    let state: VoteState = []
    const plays = [1, 2, 3, 4].map((slot): AiredPlay => {
      const waiting = requests.filter(({ id }) => !aired.has(id))
      const votes = voters.flatMap(({ account, likes }) =>
        waiting.filter(({ id }) => id.startsWith(likes)).map(({ id }) => voteOf(account, id)),
      )
      const { ballots, winner, state: next } = playVoteSlot(state, votes, waiting)
      if (winner === undefined) throw new Error('every request has a vote')
      state = next
      aired.add(winner.id)
      const decision = { currency: 'vote' as const, decidedAtMs: slot, isConsistent: true, passedOver: [] }
      const receipt = receiptOf({ ...decision, ballots, requests: waiting, winner }, new Uint8Array(32))
      const { currency, digest } = receipt
      return { requestId: winner.id, startedAtMs: slot + 10, currency, digest, receipt }
    })
    expect(check(plays).some(isWrong)).toBe(false)
    expect(check(plays.toSpliced(1, 1))[1]).toMatchObject({ result: 'wrong', fault: 'chain' })
  })

  test('goes on after a decision that says that it was taken with other loads', () => {
    const plays = playedEvening(3, 12)
    const [first = 0, second = 0, third = 0] = placesOf(plays, 'vote')
    const given = forged(plays[second] as AiredPlay, { isConsistent: false })
    const results = check(plays.toSpliced(second, 1, given))
    expect(results[first]).toMatchObject({ result: 'verified', isLinked: false })
    expect(results[second]).toMatchObject({ result: 'inconsistent' })
    expect(results[third]).toMatchObject({ result: 'verified', isLinked: false })
  })

  test('is wrong if a request waits in a receipt that had been aired before', () => {
    const plays = playedEvening(3, 12)
    const [first = 0, second = 0] = placesOf(plays)
    const aired = stored(plays[first])?.requests.find(({ id }) => id === plays[first]?.requestId)
    const { requests, decidedAt } = stored(plays[second]) as Receipt
    const sorted = [...requests, ...(aired === undefined ? [] : [aired])].sort((a, b) =>
      a.id < b.id ? -1 : 1,
    )
    const earlier = { ...(plays[first] as AiredPlay), startedAtMs: Date.parse(decidedAt) - 1 }
    const results = check([earlier, forged(plays[second] as AiredPlay, { requests: sorted })])
    expect(results[1]).toMatchObject({ result: 'wrong', fault: 'aired' })
  })
})
