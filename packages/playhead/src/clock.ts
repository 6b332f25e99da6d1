/**
 * One question for the server's time. `sentAtMs` and `receivedAtMs` are read from one local clock that never
 * jumps (`performance.timeOrigin + performance.now()`), `serverNowMs` is the server's epoch ms in between.
 */
export interface ClockSample {
  sentAtMs: number
  serverNowMs: number
  receivedAtMs: number
}

/** Server time = local time + `offsetMs`, right within ± `uncertaintyMs`. */
export interface ClockEstimate {
  offsetMs: number
  uncertaintyMs: number
  roundTripMs: number
  samples: number
}

/** How far two ordinary quartz clocks drift apart: 100 millionths, a generous bound. */
const CLOCK_DRIFT = 100e-6
/** The server's clock is read in whole milliseconds. */
const RESOLUTION_MS = 0.5

/**
 * The offset between the server's clock and the local one.
 *
 * Each sample proves that the offset lies between `serverNow − received` and `serverNow − sent`: the shorter
 * the round trip, the narrower the proof. Proofs are intersected from the newest backwards, each widened by what
 * the clocks may have drifted since; a contradiction means that a clock jumped, and older samples are void.
 * Returns undefined without a usable sample.
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

/** The samples worth keeping: the newest `limit`, plus the one with the best round trip. */
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
