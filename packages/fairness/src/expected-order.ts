import { type Currency, loadsAfter, rank } from './ranking.ts'
import { byTimeOfRequest, type WaitingRequest } from './waiting-request.ts'
import type { LoadedBallot } from './water-level.ts'

/**
 * The order in which all waiting requests would be aired if nothing changed and no rule forbade one, for display: the
 * winners of at most `limit` decisions in a row, then the rest as they are ranked after these, then requests without a
 * ballot. Each decision in advance costs as much as a real one.
 */
export function expectedOrder(
  currency: Currency,
  ballots: readonly LoadedBallot[],
  requests: readonly WaitingRequest[],
  limit: number,
): string[] {
  const order: string[] = []
  const waiting = new Map(requests.map((request) => [request.id, request]))
  const take = (id: string) => {
    waiting.delete(id)
    order.push(id)
  }
  let current = ballots
  while (order.length < limit) {
    const [first] = rank(currency, current, [...waiting.values()])
    const winner = first === undefined ? undefined : waiting.get(first)
    if (winner === undefined) break
    const loads = loadsAfter(currency, current, winner)
    current = current.map(({ approved }, index) => ({ approved, load: loads[index] ?? 0 }))
    take(winner.id)
  }
  for (const id of rank(currency, current, [...waiting.values()])) take(id)
  for (const { id } of [...waiting.values()].sort(byTimeOfRequest)) take(id)
  return order
}
