import { REACTION_STEP_MS, type ReactionPace } from '@looptide/contracts/http/airing-details'
import { REACTIONS, type ReactionCounts } from '@looptide/contracts/realtime'

/** The sum of numbers of reactions, without those that are 0. */
export function sumOf(all: readonly ReactionCounts[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const counts of all) {
    for (const emoji of REACTIONS) {
      const count = counts[emoji] ?? 0
      if (count > 0) sum[emoji] = (sum[emoji] ?? 0) + count
    }
  }
  return sum
}

/** What one gateway has stored: the numbers since its first report at `beganAtMs`, after steps from then on. */
export interface StoredPace {
  beganAtMs: number
  pace: Readonly<Record<string, ReactionCounts>>
}

/**
 * The reactions of each step of an airing, of all gateways together. Their sum is that of the last numbers of each gateway. A
 * number that is lower than an earlier one counts nothing.
 */
export function paceOf(startsAtMs: number, gateways: readonly StoredPace[]): ReactionPace['steps'] {
  const byTime = new Map<number, ReactionCounts[]>()
  for (const { beganAtMs, pace } of gateways) {
    const steps = Object.keys(pace)
      .map(Number)
      .toSorted((a, b) => a - b)
    let before: ReactionCounts = {}
    for (const step of steps) {
      const counts = pace[step] ?? {}
      const added = addedSince(before, counts)
      before = { ...before, ...counts }
      const atMs = beganAtMs - startsAtMs + step * REACTION_STEP_MS
      const afterMs = (Math.floor(Math.max(0, atMs) / REACTION_STEP_MS) + 1) * REACTION_STEP_MS
      byTime.set(afterMs, [...(byTime.get(afterMs) ?? []), added])
    }
  }
  return [...byTime]
    .toSorted(([a], [b]) => a - b)
    .map(([afterMs, all]) => ({ afterMs, counts: sumOf(all) }))
    .filter(({ counts }) => Object.keys(counts).length > 0)
}

function addedSince(before: ReactionCounts, counts: ReactionCounts): ReactionCounts {
  const added: ReactionCounts = {}
  for (const emoji of REACTIONS) added[emoji] = (counts[emoji] ?? 0) - (before[emoji] ?? 0)
  return added
}
