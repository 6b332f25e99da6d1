import { quantile } from '../quantile.ts'
import type { Recording, Sight } from './recorder.ts'

/** Offsets of pages from the playhead and from each other, ms; a nudge and its end count as one correction. */
export interface Nearness {
  offsetP50Ms: number
  offsetP95Ms: number
  offsetMaxMs: number
  /** Between any two pages at one instant. */
  gapP50Ms: number
  gapP95Ms: number
  /** Between the first and the last of all pages at one instant. */
  spreadP95Ms: number
  correctionsPerMinute: number
  sights: number
}

/** Interval of the comparisons (ms), each with the latest report of a page. */
const GRID_MS = 250
/** Older reports (ms) are not used. */
const STALE_MS = 600

/**
 * The playhead of a programme that starts at `startsAtMs` is `now - startsAtMs` by the station's clock; a page's
 * own estimate of the clock is not used.
 */
export function nearness(
  recordings: readonly Recording[],
  startsAtMs: ReadonlyMap<string, number>,
): Nearness {
  const pages = recordings.map(({ sights }) =>
    sights.flatMap((sight) => {
      const startMs = startsAtMs.get(sight.programmeId)
      return startMs === undefined
        ? []
        : [{ ...sight, offsetMs: sight.positionMs - (sight.wallMs - startMs) }]
    }),
  )
  const offsets = pages.flatMap((sights) => sights.map(({ offsetMs }) => Math.abs(offsetMs)))
  const { gaps, spreads } = distances(pages)
  for (const values of [offsets, gaps, spreads]) values.sort((a, b) => a - b)
  return {
    offsetP50Ms: quantile(offsets, 0.5),
    offsetP95Ms: quantile(offsets, 0.95),
    offsetMaxMs: quantile(offsets, 1),
    gapP50Ms: quantile(gaps, 0.5),
    gapP95Ms: quantile(gaps, 0.95),
    spreadP95Ms: quantile(spreads, 0.95),
    correctionsPerMinute: pages.reduce((sum, sights) => sum + corrections(sights), 0) / pages.length,
    sights: offsets.length,
  }
}

type Placed = Sight & { offsetMs: number }

function distances(pages: readonly Placed[][]): { gaps: number[]; spreads: number[] } {
  const all = pages.flat().map(({ wallMs }) => wallMs)
  const [firstMs, lastMs] = [Math.max(...pages.map((p) => p[0]?.wallMs ?? Infinity)), Math.max(...all)]
  const gaps: number[] = []
  const spreads: number[] = []
  const places = pages.map(() => 0)
  for (let atMs = firstMs; atMs <= lastMs; atMs += GRID_MS) {
    const seen = pages.flatMap((sights, page) => {
      while ((sights[places[page]! + 1]?.wallMs ?? Infinity) <= atMs) places[page]! += 1
      const sight = sights[places[page]!]
      return sight !== undefined && atMs - sight.wallMs <= STALE_MS ? [sight] : []
    })
    for (const together of Map.groupBy(seen, ({ programmeId }) => programmeId).values()) {
      const sizes = together.map(({ offsetMs }) => offsetMs).sort((a, b) => a - b)
      if (sizes.length < 2) continue
      spreads.push(sizes.at(-1)! - sizes[0]!)
      for (const [index, one] of sizes.entries()) {
        for (const other of sizes.slice(index + 1)) gaps.push(other - one)
      }
    }
  }
  return { gaps, spreads }
}

/** Corrections a minute of one page. */
function corrections(sights: readonly Sight[]): number {
  const [first, last] = [sights[0], sights.at(-1)]
  if (first === undefined || last === undefined || first === last) return Number.NaN
  const count = last.seeks - first.seeks + (last.rateChanges - first.rateChanges) / 2
  return count / ((last.wallMs - first.wallMs) / 60_000)
}
