import type { ViewerCounts } from '@looptide/contracts/events'

/** The viewers of each channel at other processes: the sum of what each gateway reported last. */
export class ReportedViewers {
  readonly #gateways = new Map<string, { counts: Map<string, number>; atMs: number }>()

  /** Takes a report that arrived at `atMs`. A partial one has only the channels whose count has changed. */
  receive({ gatewayId, counts, isPartial = false }: ViewerCounts, atMs: number): void {
    const all = (isPartial && this.#gateways.get(gatewayId)?.counts) || new Map<string, number>()
    for (const [channelId, count] of Object.entries(counts)) {
      if (count === 0) all.delete(channelId)
      else all.set(channelId, count)
    }
    this.#gateways.set(gatewayId, { counts: all, atMs })
  }

  /** Whether there was anything to forget. */
  forget(gatewayId: string): boolean {
    return this.#gateways.delete(gatewayId)
  }

  /** Forgets the gateways that have reported nothing since `sinceMs`. */
  forgetSilent(sinceMs: number): void {
    for (const [gatewayId, { atMs }] of this.#gateways) if (atMs < sinceMs) this.forget(gatewayId)
  }

  /** Whether no gateway has reported. */
  get isEmpty(): boolean {
    return this.#gateways.size === 0
  }

  of(channelId: string): number {
    let sum = 0
    for (const { counts } of this.#gateways.values()) sum += counts.get(channelId) ?? 0
    return sum
  }

  /** The sum of every channel, added to `sums`. */
  addTo(sums: Map<string, number>): Map<string, number> {
    for (const { counts } of this.#gateways.values())
      for (const [channelId, count] of counts) sums.set(channelId, (sums.get(channelId) ?? 0) + count)
    return sums
  }
}
