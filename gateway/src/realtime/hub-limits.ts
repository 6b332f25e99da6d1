import type { BucketSize } from '../limits/leaky-bucket.ts'
import type { HubLimits } from './hub.ts'
import type { FanOutOptions } from './topic.ts'

/** Messages that arrive within so many ms of each other share a write while a topic is busy. */
const WINDOW_MS = 25

const KIB = 1024
const MIB = 1_048_576
/** The largest message of any socket, in bytes: the stock limit of Supabase Realtime. */
export const MAX_MESSAGE_BYTES = 256 * KIB

const scaled = (perSecond: number, burst: number, factor: number): BucketSize => ({
  perSecond: perSecond * factor,
  burst: burst * factor,
})

/** With a burst in which a message of the largest size fits, however small the factor. */
const atLeast = (burst: number, size: BucketSize): BucketSize => ({
  ...size,
  burst: Math.max(burst, size.burst),
})

/**
 * What one socket may do. A viewer's largest message is a join with an access token, about 2 KiB; the bursts are for a
 * client that joins a hundred topics at once.
 */
export const hubLimits = (rateLimitFactor: number): HubLimits => ({
  maxBufferedBytes: MIB,
  messages: scaled(30, 300, rateLimitFactor),
  public: {
    maxMessageBytes: 16 * KIB,
    bytes: atLeast(32 * KIB, scaled(16 * KIB, 256 * KIB, rateLimitFactor)),
    json: { levels: 64, values: 1000 },
  },
  private: {
    maxMessageBytes: MAX_MESSAGE_BYTES,
    bytes: atLeast(MIB, scaled(128 * KIB, MIB, rateLimitFactor)),
    json: { levels: 64, values: 10_000 },
  },
  maxJoins: 100,
  idleMs: 75_000,
})

/** How a topic's messages are put together and bounded. */
export const fanOutOptions = (rateLimitFactor: number): FanOutOptions => ({
  windowMs: WINDOW_MS,
  relay: scaled(2 * MIB, 8 * MIB, rateLimitFactor),
  now: () => performance.now(),
})
