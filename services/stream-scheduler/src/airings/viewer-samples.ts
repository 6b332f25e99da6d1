interface Sample {
  atMs: number
  /** Viewers by channel; those without viewers are not listed. */
  viewers: ReadonlyMap<string, number>
}

/** Counted numbers of viewers of the last `keepMs`, for averages over a programme. */
export class ViewerSamples {
  readonly #keepMs: number
  #samples: Sample[] = []

  constructor(keepMs: number) {
    this.#keepMs = keepMs
  }

  add(sample: Sample): void {
    const firstMs = sample.atMs - this.#keepMs
    this.#samples = [...this.#samples.filter(({ atMs }) => atMs > firstMs), sample]
  }

  /** The rounded average of a channel in [fromMs, toMs); null if nothing was counted in it. */
  averageOf(channelId: string, fromMs: number, toMs: number): number | null {
    const counted = this.#samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    if (counted.length === 0) return null
    const sum = counted.reduce((sum, { viewers }) => sum + (viewers.get(channelId) ?? 0), 0)
    return Math.round(sum / counted.length)
  }
}
