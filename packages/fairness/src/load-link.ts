import type { Receipt } from './receipt.ts'
import { floorDivide } from './water-level.ts'

/**
 * Why the loads before a decision cannot follow from those that the decision before it, in the same currency, has left;
 * undefined if they can. Pseudonyms of two receipts have nothing in common, so only the numbers are compared, as multisets
 * (docs/fairness.md, "Evenings").
 *
 * `baseMs`: for turns, the largest load that was served before. Nobody who begins to wait has less.
 */
export const breakOfLoads = (before: Receipt, after: Receipt, baseMs: number): string | undefined =>
  after.currency === 'vote'
    ? breakOfVotes(before.loadsAfter, after.loadsBefore)
    : breakOfTurns(before.loadsAfter, after.loadsBefore, baseMs)

/**
 * Debtors stay, the others may leave, and the mean of those who stay is subtracted (`countBallots`); newcomers have 0. The
 * highest debtor stays the highest, which gives the mean, and with it each load that is not 0 has its origin.
 */
function breakOfVotes(left: readonly number[], found: readonly number[]): string | undefined {
  const mean = highest(left) - highest(found)
  const before = countsOf(left)
  const origins = countsOf(found.filter((load) => load !== 0).map((load) => load + mean))
  const invented = [...origins].find(([load, count]) => count > (before.get(load) ?? 0))
  if (invented !== undefined)
    return `A load of ${invented[0] - mean} follows from none of the loads that were left.`
  let sum = 0
  let staying = 0
  for (const [load, count] of before) {
    const kept = origins.get(load) ?? 0
    if (load > Math.max(0, mean) && kept < count) return `A voter with a debt of ${load} is missing.`
    const stays = load > 0 ? count : load === mean ? Math.min(count, found.length - sizeOf(origins)) : kept
    sum += load * stays
    staying += stays
  }
  const expected = staying === 0 ? 0 : floorDivide(sum, staying)
  if (expected === mean) return undefined
  return `All loads are lower by ${mean}, but the voters who stayed had a mean of ${expected}.`
}

/** An account that waits keeps its load; one that begins to wait has at least `baseMs`. */
function breakOfTurns(left: readonly number[], found: readonly number[], baseMs: number): string | undefined {
  const before = countsOf(left)
  const invented = [...countsOf(found)].find(
    ([load, count]) => load < baseMs && count > (before.get(load) ?? 0),
  )
  if (invented === undefined) return undefined
  return `A load of ${invented[0]} ms is none of those that were left, and too low to begin with: that is ${baseMs} ms.`
}

/** The largest load, at least 0. */
const highest = (loads: readonly number[]): number => loads.reduce((most, load) => Math.max(most, load), 0)

function countsOf(loads: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const load of loads) counts.set(load, (counts.get(load) ?? 0) + 1)
  return counts
}

const sizeOf = (counts: ReadonlyMap<number, number>): number =>
  counts.values().reduce((sum, count) => sum + count, 0)
