import { DURATION_TOLERANCE_MS, NETWORKS_TO_LEARN } from './report-rules.ts'

/** A duration measured by a viewer's player, and the viewer's network. */
export interface DurationReport {
  network: string
  durationMs: number
}

/**
 * The duration (ms) on which a majority of networks agrees: at least {@link NETWORKS_TO_LEARN} and more than half of
 * all networks, within {@link DURATION_TOLERANCE_MS} of each other. Null without such a majority.
 *
 * @param reports newest first; only the newest of each network counts
 */
export function agreedDuration(reports: readonly DurationReport[]): number | null {
  const votes = new Map<string, number>()
  for (const { network, durationMs } of reports) if (!votes.has(network)) votes.set(network, durationMs)
  const sorted = [...votes.values()].toSorted((a, b) => a - b)
  let agreeing: number[] = []
  for (const [from, least] of sorted.entries()) {
    const group = sorted.slice(from).filter((ms) => ms - least <= DURATION_TOLERANCE_MS)
    if (group.length > agreeing.length) agreeing = group
  }
  if (agreeing.length < NETWORKS_TO_LEARN || agreeing.length * 2 <= sorted.length) return null
  return agreeing[Math.floor(agreeing.length / 2)] ?? null
}
