/** A token bucket: each message takes a token, and tokens are refilled at a constant rate. */
export interface RateLimit {
  /** Capacity of the bucket, in messages. */
  burst: number
  /** Refill rate, in messages per second. */
  perSecond: number
}

/** The state of one user's bucket in one channel. */
export interface Bucket {
  tokens: number
  /** When the last message was posted, in epoch ms. */
  postedAtMs: number
}

/** Ten messages at once, then one per second: faster than people type, slower than a flood. */
export const rateLimit = (factor: number): RateLimit => ({
  burst: Math.max(1, 10 * factor),
  perSecond: factor,
})

export type TokenResult = { allowed: true; bucket: Bucket } | { allowed: false; retryAfterMs: number }

/** Takes a token at `nowMs`, or returns the wait for the next one. `bucket` is null before the user's first message. */
export function takeToken(bucket: Bucket | null, nowMs: number, limit: RateLimit): TokenResult {
  // Clocks of two servers may differ. A time before the last message counts as the time of that message.
  const at = Math.max(nowMs, bucket?.postedAtMs ?? nowMs)
  const passedS = bucket === null ? 0 : (at - bucket.postedAtMs) / 1000
  const tokens =
    bucket === null ? limit.burst : Math.min(limit.burst, bucket.tokens + passedS * limit.perSecond)
  if (tokens >= 1) return { allowed: true, bucket: { tokens: tokens - 1, postedAtMs: at } }
  return { allowed: false, retryAfterMs: Math.max(1, Math.ceil(((1 - tokens) / limit.perSecond) * 1000)) }
}

/** Time until slow mode allows the user's next message, in ms; 0 if it allows one now. */
export function slowModeWaitMs(bucket: Bucket | null, nowMs: number, slowModeS: number): number {
  if (bucket === null || slowModeS === 0) return 0
  return Math.max(0, Math.ceil(bucket.postedAtMs + slowModeS * 1000 - nowMs))
}

/** What applies to new accounts; 0 turns a rule off. */
export interface NewAccountRules {
  /** Messages with links of accounts that are younger wait for a moderator. */
  linksFromAgeMs: number
  /** Slow mode (s) until {@link STOOD_MESSAGES} messages of the account have stood. */
  slowModeS: number
}

/** Messages that have stood, after which an account is not new to slow mode. */
export const STOOD_MESSAGES = 10
/** Time (ms) after which a message that was not removed has stood. */
export const STOOD_MS = 600_000
