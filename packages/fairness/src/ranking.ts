import { byTimeOfRequest, type WaitingRequest } from './waiting-request.ts'
import { floorDivide, type LoadedBallot, waterLevels } from './water-level.ts'

/**
 * The two currencies in which a place on the air is distributed. The functions of this file are what a decision and the
 * check of its receipt share: they know neither accounts nor the past, only ballots and their loads.
 */
export type Currency = 'turn' | 'vote'

type Request = Pick<WaitingRequest, 'id' | 'requestedAtMs' | 'durationMs'>

/**
 * Returns the ids of the waiting requests that may be aired, the best one first.
 *
 * `vote`: by the level of sequential Phragmén; a request without a voter is not in the list. `turn`: a ballot is an
 * account with its requests, its load the account's minutes in ms; the account with the lowest load comes first, with
 * all its requests. Equal ones are in the order in which they were requested.
 */
export function rank(
  currency: Currency,
  ballots: readonly LoadedBallot[],
  requests: readonly Request[],
): string[] {
  return currency === 'vote' ? rankVotes(ballots, requests) : rankTurns(ballots, requests)
}

function rankVotes(ballots: readonly LoadedBallot[], requests: readonly Request[]): string[] {
  const levels = waterLevels(ballots)
  return requests
    .flatMap((request) => {
      const level = levels.get(request.id)
      return level === undefined ? [] : [{ ...request, level }]
    })
    .sort((a, b) => a.level - b.level || byTimeOfRequest(a, b))
    .map(({ id }) => id)
}

function rankTurns(ballots: readonly LoadedBallot[], requests: readonly Request[]): string[] {
  const byId = new Map(requests.map((request) => [request.id, request]))
  return ballots
    .flatMap(({ load, approved }) => {
      const own = approved.flatMap((id) => byId.get(id) ?? []).sort(byTimeOfRequest)
      const [first] = own
      return first === undefined ? [] : [{ load, own, first }]
    })
    .sort((a, b) => a.load - b.load || byTimeOfRequest(a.first, b.first))
    .flatMap(({ own }) => own.map(({ id }) => id))
}

/**
 * Returns the loads after `winner` has been aired, in the order of the ballots.
 *
 * `vote`: the voters who pay have the winner's level; then the mean of all loads, rounded down, is subtracted from each,
 * so that every voter has received an equal part of the slot. `turn`: the winner's account has its duration more.
 */
export function loadsAfter(currency: Currency, ballots: readonly LoadedBallot[], winner: Request): number[] {
  if (currency === 'turn')
    return ballots.map(({ load, approved }) =>
      approved.includes(winner.id) ? load + winner.durationMs : load,
    )
  const isVoter = ballots.map(({ approved }) => approved.includes(winner.id))
  const supporting = ballots
    .filter((_ballot, index) => isVoter[index])
    .map(({ load }) => ({ load, approved: [winner.id] }))
  const level = waterLevels(supporting).get(winner.id) ?? 0
  const paid = ballots.map(({ load }, index) => (isVoter[index] === true && load < level ? level : load))
  return withoutMean(paid)
}

/**
 * Subtracts the mean, rounded down, from each load. Their sum is then at least 0 and less than one unit for each voter:
 * a load says how much more than an equal share a voter has received, and 0 is what a new voter begins with.
 */
export function withoutMean(loads: readonly number[]): number[] {
  if (loads.length === 0) return []
  const mean = floorDivide(
    loads.reduce((sum, load) => sum + load, 0),
    loads.length,
  )
  return loads.map((load) => load - mean)
}
