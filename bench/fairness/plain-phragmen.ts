import { byTimeOfRequest, type WaitingRequest } from '@looptide/fairness/waiting-request'
import { type LoadedBallot, SLOT } from '@looptide/fairness/water-level'

/** A fraction of integers of any size. */
interface Fraction {
  numerator: bigint
  denominator: bigint
}

const isLess = (a: Fraction, b: Fraction): boolean =>
  a.numerator * b.denominator < b.numerator * a.denominator

/**
 * The winner by sequential Phragmén as it is written in papers: for each request, its supporters share the cost of a
 * slot; a voter who already has more than the resulting level pays nothing, until this holds for nobody.
 */
export function plainWinner(
  ballots: readonly LoadedBallot[],
  requests: readonly WaitingRequest[],
): string | undefined {
  let best: { id: string; level: bigint } | undefined
  for (const { id } of requests.toSorted(byTimeOfRequest)) {
    const supporters = ballots.filter(({ approved }) => approved.includes(id))
    const exact = levelOf(supporters.map(({ load }) => BigInt(load)))
    if (exact === undefined) continue
    // Loads are whole units, so a level between two of them is the upper one.
    const isWhole = exact.numerator % exact.denominator <= 0n
    const level = exact.numerator / exact.denominator + (isWhole ? 0n : 1n)
    if (best === undefined || level < best.level) best = { id, level }
  }
  return best?.id
}

function levelOf(loads: readonly bigint[]): Fraction | undefined {
  let payers = loads
  for (;;) {
    if (payers.length === 0) return undefined
    const level = {
      numerator: BigInt(SLOT) + payers.reduce((sum, load) => sum + load, 0n),
      denominator: BigInt(payers.length),
    }
    const remaining = payers.filter((load) => isLess({ numerator: load, denominator: 1n }, level))
    if (remaining.length === payers.length) return level
    payers = remaining
  }
}
