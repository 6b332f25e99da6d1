import { DURATION_TOLERANCE_MS, NETWORKS_TO_LEARN } from './report-rules.ts'

/** A length that a viewer's player measured, and the network the viewer comes from. */
export interface DurationReport {
  network: string
  durationMs: number
}

/**
 * The duration (ms) that a majority of networks agrees on: at least {@link NETWORKS_TO_LEARN} and more than half of all
 * networks, within {@link DURATION_TOLERANCE_MS} of each other. Null when there is none.
 *
 * @param reports newest first; of each network only the newest counts
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
