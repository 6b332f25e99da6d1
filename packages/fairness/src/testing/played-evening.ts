import { randomIndex, seededRandom } from '@looptide/playhead/random'
import type { AiredPlay } from '../evening-check.ts'
import { type Currency, rank } from '../ranking.ts'
import { receiptOf } from '../receipt.ts'
import { chargeTurn, enterTurns, NO_TURNS, type TurnState, turnsOf } from '../turns.ts'
import { type CastBallot, chargeVotes, countBallots, type VoteState } from '../votes.ts'
import type { WaitingRequest } from '../waiting-request.ts'

const SLOT_MS = 240_000
const BEGIN_MS = Date.UTC(2026, 10, 28, 20)
const ACCOUNTS = 7

/**
 * The plays of an evening with their receipts, as a station publishes them: viewers request, vote, take votes back, leave and
 * return; slots of both currencies; rules that forbid requests; requests that staff have pinned.
 */
export function playedEvening(seed: number, slots: number): AiredPlay[] {
  const random = seededRandom(seed)
  const pick = (limit: number) => randomIndex(random, limit)
  const votes = new Map<string, Set<string>>()
  let requests: (WaitingRequest & { network: string })[] = []
  let voteState: VoteState = []
  let turnState: TurnState = NO_TURNS
  let made = 0
  const plays: AiredPlay[] = []

  const ask = () => {
    const account = `account ${pick(ACCOUNTS)}`
    const id = `request-${String(made).padStart(3, '0')}`
    made += 1
    const durationMs = 120_000 + pick(5) * 60_000
    requests.push({ id, account, network: account, durationMs, requestedAtMs: BEGIN_MS - 1000 + made })
    votes.set(id, new Set())
  }
  const change = () => {
    for (let step = pick(6); step > 0; step -= 1) {
      const voter = `account ${pick(ACCOUNTS)}`
      const cast = votes.get(requests[pick(requests.length)]?.id ?? '')
      if (random() < 0.7) cast?.add(voter)
      else if (random() < 0.5) cast?.delete(voter)
      else for (const one of votes.values()) one.delete(voter)
    }
  }
  const cast = (): CastBallot[] => {
    const ballots = new Map<string, string[]>()
    for (const [id, voters] of votes)
      for (const voter of voters) ballots.set(voter, [...(ballots.get(voter) ?? []), id])
    return [...ballots].map(([account, approved]) => ({ account, network: account, sinceMs: 0, approved }))
  }

  for (let slot = 0; slot < slots; slot += 1) {
    while (requests.length < 3 || (requests.length < 9 && random() < 0.5)) ask()
    change()
    const startedAtMs = BEGIN_MS + slot * SLOT_MS
    const currency: Currency = random() < 0.6 ? 'vote' : 'turn'
    const ballots = currency === 'vote' ? countBallots(voteState, cast()) : []
    const turns = enterTurns(turnState, requests, startedAtMs)
    const counted = currency === 'vote' ? ballots : turnsOf(turns, requests)
    const order = rank(currency, counted, requests)
    const isPinned = random() < 0.1
    const gone = Math.min(pick(3), order.length - 1)
    const winner = isPinned
      ? requests[pick(requests.length)]
      : requests.find(({ id }) => id === order[Math.max(0, gone)])
    if (winner === undefined) continue
    const receipt = isPinned
      ? null
      : receiptOf(
          {
            ...{ currency, decidedAtMs: startedAtMs - 300_000, isConsistent: true, requests, winner },
            ballots: counted,
            passedOver: order.slice(0, gone).map((request) => ({ request, rule: 'artistSeparation' })),
          },
          new Uint8Array(32).map(() => pick(256)),
        )
    plays.push({
      ...{ requestId: winner.id, startedAtMs, currency: isPinned ? null : currency },
      ...{ digest: receipt?.digest ?? null, receipt },
    })
    if (!isPinned && currency === 'vote') voteState = chargeVotes(ballots, winner)
    if (!isPinned && currency === 'turn') turnState = chargeTurn(turns, winner, startedAtMs)
    requests = requests.filter(({ id }) => id !== winner.id)
    votes.delete(winner.id)
    if (random() < 0.2) withdraw()
  }
  return plays

  function withdraw() {
    const [gone] = requests.splice(pick(requests.length), 1)
    votes.delete(gone?.id ?? '')
  }
}
