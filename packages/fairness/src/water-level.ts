/**
 * One slot of the programme, in units of load. Loads are integers, so that a browser and the station compute the same
 * values, and bounded: exact fractions would grow by some digits with every decision. Below 900,000 voters all
 * intermediate results are safe integers.
 */
export const SLOT = 10_000_000_000

/** A voter's load, in units of `SLOT`, and the requests that the voter approves. */
export interface LoadedBallot {
  load: number
  approved: readonly string[]
}

/** The voters who would pay for a request, in the order of their loads. */
interface Payers {
  /** Load of the first one. */
  base: number
  count: number
  /** Sum of loads above `base`. */
  sum: number
  isComplete: boolean
}

/**
 * The level of each approved request: the largest load of a voter if it were aired. Airing costs one slot, paid by the
 * voters who approve it, those with the lowest loads first, as water fills a vessel. A voter whose load is above the
 * level pays nothing. Rounded up to a whole unit.
 */
export function waterLevels(ballots: readonly LoadedBallot[]): ReadonlyMap<string, number> {
  const requests = new Map<string, Payers>()
  for (const { load, approved } of ballots.toSorted((a, b) => a.load - b.load)) {
    for (const request of approved) {
      const payers = requests.get(request)
      if (payers === undefined) requests.set(request, { base: load, count: 1, sum: 0, isComplete: false })
      else if (!payers.isComplete) addPayer(payers, load - payers.base)
    }
  }
  return new Map(
    [...requests].map(([request, { base, count, sum }]) => [request, base + ceilDivide(SLOT + sum, count)]),
  )
}

/** Adds the next voter, unless the level is already below this load: then it is below those of all later voters. */
function addPayer(payers: Payers, above: number): void {
  payers.isComplete = above >= SLOT || above * payers.count >= SLOT + payers.sum
  if (payers.isComplete) return
  payers.count += 1
  payers.sum += above
}

/** Quotient of integers, rounded down. A quotient of floating point could be rounded up to the next integer. */
export function floorDivide(dividend: number, divisor: number): number {
  const remainder = dividend % divisor
  return (dividend - remainder) / divisor - (remainder < 0 ? 1 : 0)
}

const ceilDivide = (dividend: number, divisor: number): number => -floorDivide(-dividend, divisor)
