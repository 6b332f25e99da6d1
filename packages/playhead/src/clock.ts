/**
 * One request for the server's time. `sentAtMs` and `receivedAtMs` are local times from a monotonic clock
 * (`performance.timeOrigin + performance.now()`); `serverNowMs` is the server's time in between (epoch ms).
 */
export interface ClockSample {
  sentAtMs: number
  serverNowMs: number
  receivedAtMs: number
}

/** Server time = local time + `offsetMs`, with an error of at most ± `uncertaintyMs`. */
export interface ClockEstimate {
  offsetMs: number
  uncertaintyMs: number
  roundTripMs: number
  samples: number
}

/** Upper bound of the drift between two quartz clocks, in ms per ms. */
const CLOCK_DRIFT = 100e-6
/** Rounding error of the server's time, which has whole milliseconds. */
const RESOLUTION_MS = 0.5

/**
 * Estimates the offset between the server's clock and the local one. Undefined without a usable sample.
 *
 * The offset lies between `serverNow − received` and `serverNow − sent` of each sample: the shorter the round trip, the
 * narrower the interval. The intervals are intersected from the newest sample backwards, each widened by the possible
 * drift since then. If the next interval does not intersect, a clock has jumped, and older samples are ignored.
 */
export function estimateOffset(samples: readonly ClockSample[]): ClockEstimate | undefined {
  const usable = samples
    .filter((sample) => Number.isFinite(sample.serverNowMs) && sample.receivedAtMs >= sample.sentAtMs)
    .toSorted((a, b) => b.receivedAtMs - a.receivedAtMs)
  const newest = usable[0]
  if (!newest) return undefined
  let low = Number.NEGATIVE_INFINITY
  let high = Number.POSITIVE_INFINITY
  let roundTripMs = Number.POSITIVE_INFINITY
  let used = 0
  for (const sample of usable) {
    const slack = RESOLUTION_MS + (newest.receivedAtMs - sample.receivedAtMs) * CLOCK_DRIFT
    const nextLow = Math.max(low, sample.serverNowMs - sample.receivedAtMs - slack)
    const nextHigh = Math.min(high, sample.serverNowMs - sample.sentAtMs + slack)
    if (nextLow > nextHigh) break
    low = nextLow
    high = nextHigh
    roundTripMs = Math.min(roundTripMs, sample.receivedAtMs - sample.sentAtMs)
    used += 1
  }
  return { offsetMs: (low + high) / 2, uncertaintyMs: (high - low) / 2, roundTripMs, samples: used }
}

/** The newest `limit` samples and the one with the shortest round trip. */
export function keepSamples(samples: readonly ClockSample[], limit = 16): ClockSample[] {
  const sorted = samples.toSorted((a, b) => b.receivedAtMs - a.receivedAtMs)
  const kept = sorted.slice(0, limit)
  const roundTrip = (sample: ClockSample) => sample.receivedAtMs - sample.sentAtMs
  const best = sorted.reduce<ClockSample | undefined>(
    (least, sample) => (!least || roundTrip(sample) < roundTrip(least) ? sample : least),
    undefined,
  )
  return best && !kept.includes(best) ? [...kept, best] : kept
}
