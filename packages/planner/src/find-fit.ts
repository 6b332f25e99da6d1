import { IDENT_MAX_MS, IDENT_MIN_MS } from '@looptide/contracts/schedule'
import type { Candidate } from './candidate.ts'
import { artistKey } from './library.ts'

/** Videos that together last almost as long as the time before a hard start. */
export interface Fit<C extends Candidate = Candidate> {
  /** In the order in which they are to be played. */
  candidates: C[]
  /** The remaining time for a countdown card, in ms: 0, or from 3 s to 30 s. */
  gapMs: number
}

/** Numbers of the most preferred candidates that are tried in groups of one, two, three and four. */
const TRIED_BY_GROUP_SIZE = [200, 160, 60, 32] as const

// Costs are added up. The rank of a candidate, 0 to 199, is its own cost.
const LONG_COUNTDOWN_COST = 1000
const REPEATED_ARTIST_COST = 5000
const BREACH_COST = 1_000_000

/**
 * The best group of up to four candidates, of different artists where possible, that ends within 30 s before
 * `remainingMs` have passed. The fewest breaches count most, then different artists, then a short countdown, then the
 * candidates' order. Undefined if no group fits.
 */
export function findFit<C extends Candidate>(
  remainingMs: number,
  candidates: readonly C[],
): Fit<C> | undefined {
  const search = new FitSearch(candidates)
  for (const [index, tried] of TRIED_BY_GROUP_SIZE.entries()) {
    search.tryGroups(index + 1, Math.min(tried, candidates.length), remainingMs)
    // A larger group could only be better by its candidates' order.
    if (search.cost < LONG_COUNTDOWN_COST) break
  }
  return search.best
}

class FitSearch<C extends Candidate> {
  best: Fit<C> | undefined
  cost = Number.POSITIVE_INFINITY
  readonly #candidates: readonly C[]
  readonly #durations: readonly number[]
  readonly #costs: readonly number[]
  /** Indexes of the group being built, in ascending order. */
  readonly #group: number[] = []

  constructor(candidates: readonly C[]) {
    this.#candidates = candidates
    this.#durations = candidates.map(({ video }) => video.durationMs)
    this.#costs = candidates.map(({ breaches }, rank) => rank + breaches * BREACH_COST)
  }

  /** Extends the group by `count` candidates of the first `limit` ones, in every way. */
  tryGroups(count: number, limit: number, restMs: number): void {
    const group = this.#group
    for (let index = (group.at(-1) ?? -1) + 1; index < limit; index += 1) {
      const gapMs = restMs - (this.#durations[index] as number)
      if (gapMs < 0 || (count === 1 && !isGap(gapMs))) continue
      group.push(index)
      if (count === 1) this.#consider(gapMs)
      else this.tryGroups(count - 1, limit, gapMs)
      group.pop()
    }
  }

  #consider(gapMs: number): void {
    const cost = this.#group.reduce((sum, index) => sum + (this.#costs[index] as number), costOfGap(gapMs))
    if (cost >= this.cost) return
    const members = this.#group.map((index) => this.#candidates[index] as C)
    if (new Set(members.map(({ video }) => video.id)).size < members.length) return
    const hasRepeat = new Set(members.map(({ video }) => artistKey(video))).size < members.length
    const total = cost + (hasRepeat ? REPEATED_ARTIST_COST : 0)
    if (total >= this.cost) return
    this.cost = total
    this.best = { candidates: members, gapMs }
  }
}

function isGap(ms: number): boolean {
  return ms === 0 || (ms >= IDENT_MIN_MS && ms <= IDENT_MAX_MS)
}

/** A countdown of up to 8 s is as good as none; a longer one is worse than less preferred videos. */
function costOfGap(gapMs: number): number {
  if (gapMs <= 8000) return 0
  return gapMs <= 15_000 ? LONG_COUNTDOWN_COST : 2 * LONG_COUNTDOWN_COST
}

/** Before a hard start, the videos of this time are chosen together, so that they end at the right instant. */
export const FIT_WITHIN_MS = 15 * 60_000

/** An ident is left out where it would make the time before a hard start harder to fill. */
export function hasTimeFor(durationMs: number, remainingMs: number): boolean {
  const restMs = remainingMs - durationMs
  return restMs === 0 || restMs >= FIT_WITHIN_MS
}

/** The length of one of the cards that fill `ms`: at most 30 s, and such that at least 3 s remain for the next one. */
export function cardMs(ms: number): number {
  if (ms <= IDENT_MAX_MS) return ms
  return ms < IDENT_MAX_MS + IDENT_MIN_MS ? ms - IDENT_MIN_MS : IDENT_MAX_MS
}
