/**
 * Cost of one decision of group choice (packages/fairness): ballots are counted, requests ranked and the voters charged,
 * beside a plain implementation that computes each request's level on its own, with exact fractions. Both must name the
 * same winner. The receipt (pseudonyms, digest) and its check are measured apart: neither is needed to decide.
 *
 *   node bench/fairness.ts [ballots...] [--json FILE]
 */
import { rank } from '@looptide/fairness/ranking'
import { receiptOf } from '@looptide/fairness/receipt'
import { recompute } from '@looptide/fairness/recompute'
import { type CastBallot, chargeVotes, countBallots, type VoteState } from '@looptide/fairness/votes'
import type { WaitingRequest } from '@looptide/fairness/waiting-request'
import { randomIndex, seededRandom } from '@looptide/playhead/random'
import { plainWinner } from './fairness/plain-phragmen.ts'
import { quantile } from './quantile.ts'
import { type BenchRow, measureSizes, rounded } from './report.ts'

const REQUESTS = 300
const VOTES_EACH = 8
const RUNS = 15

await measureSizes([1000, 10_000], (size) => Promise.resolve(decisionOf(size)))

/** Requests, of which some have many voters and most have few, and a ballot of each voter. */
function exampleOf(voters: number): { requests: WaitingRequest[]; ballots: CastBallot[] } {
  const random = seededRandom('bench')
  const requests = Array.from({ length: REQUESTS }, (_, index) => ({
    id: `request ${index}`,
    account: `requester ${index}`,
    durationMs: 240_000,
    requestedAtMs: index,
  }))
  const vote = () => `request ${Math.floor(random() ** 2 * REQUESTS)}`
  const ballots = Array.from({ length: voters }, (_, index) => ({
    account: `voter ${index}`,
    network: `network ${index}`,
    sinceMs: randomIndex(random, 1000),
    approved: Array.from({ length: VOTES_EACH }, vote),
  }))
  return { requests, ballots }
}

const BY_VOTES = { currency: 'vote' as const, isConsistent: true, passedOver: [] }

/** Plays as many slots as there are runs, so that loads differ as in the middle of an evening. */
function decisionOf(voters: number): BenchRow {
  const example = exampleOf(voters)
  let state: VoteState = []
  let waiting = example.requests
  let current = example.ballots
  const times = {
    decision: [] as number[],
    plain: [] as number[],
    receipt: [] as number[],
    check: [] as number[],
  }
  const timed = <T>(name: keyof typeof times, work: () => T): T => {
    const startMs = performance.now()
    const result = work()
    times[name].push(performance.now() - startMs)
    return result
  }
  for (let run = 0; run < RUNS; run += 1) {
    const decided = timed('decision', () => {
      const ballots = countBallots(state, current)
      const [first] = rank('vote', ballots, waiting)
      const winner = waiting.find(({ id }) => id === first)
      if (winner === undefined) throw new Error('There is no request left.')
      return { ballots, winner, state: chargeVotes(ballots, winner) }
    })
    const { ballots, winner } = decided
    const other = timed('plain', () => plainWinner(ballots, waiting))
    if (other !== winner.id) throw new Error(`The plain implementation chose ${other}, not ${winner.id}.`)
    const receipt = timed('receipt', () =>
      receiptOf(
        { ...BY_VOTES, decidedAtMs: run, ballots, requests: waiting, winner },
        new Uint8Array(32).fill(run),
      ),
    )
    const result = timed('check', () => recompute(receipt))
    if (!result.isCorrect) throw new Error(result.reason)
    state = decided.state
    waiting = waiting.filter((request) => request !== winner)
    current = current.map((ballot) => ({
      ...ballot,
      approved: ballot.approved.filter((id) => id !== winner.id),
    }))
  }
  const median = (name: keyof typeof times) =>
    quantile(
      times[name].toSorted((a, b) => a - b),
      0.5,
    )
  return {
    bench: 'fairness',
    input: { ballots: voters, requests: REQUESTS },
    figures: {
      decisionMs: rounded(median('decision'), 1),
      plainMs: rounded(median('plain'), 1),
      plainByDecision: rounded(median('plain') / median('decision'), 1),
      receiptMs: rounded(median('receipt'), 1),
      checkMs: rounded(median('check'), 1),
    },
  }
}
