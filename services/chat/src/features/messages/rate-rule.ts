/** A bucket of tokens: each message takes one, time puts them back. */
export interface RateRule {
  /** How many messages may follow one another at once. */
  burst: number
  /** How many a second may be written for long. */
  perS: number
}

export interface Bucket {
  tokens: number
  /** When the last message was written, in epoch ms. */
  postedAtMs: number
}

/** Ten at once, then one a second: faster than people type, slower than a flood. */
export const rateRule = (factor: number): RateRule => ({ burst: Math.max(1, 10 * factor), perS: factor })

export type Turn = { allowed: true; bucket: Bucket } | { allowed: false; retryAfterMs: number }

/** Takes a token at `nowMs`, or says in how many ms there will be one. `bucket` is null for a newcomer. */
export function takeTurn(bucket: Bucket | null, nowMs: number, rule: RateRule): Turn {
  // Two servers' clocks may differ: time never runs backwards here.
  const at = Math.max(nowMs, bucket?.postedAtMs ?? nowMs)
  const passedS = bucket === null ? 0 : (at - bucket.postedAtMs) / 1000
  const tokens = bucket === null ? rule.burst : Math.min(rule.burst, bucket.tokens + passedS * rule.perS)
  if (tokens >= 1) return { allowed: true, bucket: { tokens: tokens - 1, postedAtMs: at } }
  return { allowed: false, retryAfterMs: Math.max(1, Math.ceil(((1 - tokens) / rule.perS) * 1000)) }
}

/** How long slow mode still keeps somebody waiting, in ms; 0 when it does not. */
export function slowModeWaitMs(bucket: Bucket | null, nowMs: number, slowModeS: number): number {
  if (bucket === null || slowModeS === 0) return 0
  return Math.max(0, Math.ceil(bucket.postedAtMs + slowModeS * 1000 - nowMs))
}
