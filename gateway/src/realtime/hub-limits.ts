import { MAX_MESSAGE_BYTES } from '@looptide/contracts/http/broadcast'
import type { IncompleteLimits } from '../limits/incomplete-messages.ts'
import type { BucketSize } from '../limits/leaky-bucket.ts'
import type { ConnectionLimits } from './connection/connection.ts'
import type { FanOutOptions } from './topic/topic.ts'

export interface HubLimits extends ConnectionLimits {
  /** Topics that one socket may join. */
  maxJoins: number
  /** A socket that sends nothing for this time is closed, in ms. Clients send a heartbeat every 25 s. */
  idleMs: number
  incomplete: IncompleteLimits
  /** Bytes that the station sends because of what the sockets of one network send. */
  networkAnswers: BucketSize
}

/** Pause between two flush passes of a busy topic, in ms. Messages of that time share one write per socket. */
const WINDOW_MS = 25

const KIB = 1024
const MIB = 1_048_576

const scaled = (perSecond: number, burst: number, factor: number): BucketSize => ({
  perSecond: perSecond * factor,
  burst: burst * factor,
})

/** Raises the burst so that a message of the largest size fits, at any rate-limit factor. */
const atLeast = (burst: number, size: BucketSize): BucketSize => ({
  ...size,
  burst: Math.max(burst, size.burst),
})

/** For each socket that a network may open: twice the snapshot of a busy channel, in bytes. */
const ANSWERS_PER_SOCKET = 160 * KIB
/** Time in which a network's allowance of answers is refilled, in seconds. */
const ANSWERS_REFILL_S = 16

/**
 * Limits of one socket, and of a network that may open `socketsPerNetwork`. A viewer's largest message is a join with an
 * access token, about 2 KiB. The bursts allow a client to join a hundred topics at once.
 */
export const hubLimits = (rateLimitFactor: number, socketsPerNetwork: number): HubLimits => ({
  maxBufferedBytes: MIB,
  messages: scaled(30, 300, rateLimitFactor),
  public: {
    maxMessageBytes: 16 * KIB,
    bytes: atLeast(32 * KIB, scaled(16 * KIB, 256 * KIB, rateLimitFactor)),
    answered: atLeast(256 * KIB, scaled(64 * KIB, 4 * MIB, rateLimitFactor)),
    json: { levels: 64, values: 1000 },
  },
  private: {
    maxMessageBytes: MAX_MESSAGE_BYTES,
    bytes: atLeast(MIB, scaled(128 * KIB, MIB, rateLimitFactor)),
    answered: atLeast(2 * MIB, scaled(2 * MIB, 8 * MIB, rateLimitFactor)),
    json: { levels: 64, values: 10_000 },
  },
  maxJoins: 100,
  idleMs: 75_000,
  incomplete: {
    maxMs: 10_000,
    networkBytes: Math.max(MIB, 4 * MIB * rateLimitFactor),
    totalBytes: Math.max(MIB, 16 * MIB * rateLimitFactor),
  },
  networkAnswers: {
    perSecond: (socketsPerNetwork * ANSWERS_PER_SOCKET) / ANSWERS_REFILL_S,
    burst: Math.max(2 * MIB, socketsPerNetwork * ANSWERS_PER_SOCKET),
  },
})

/** Batching and limits of a topic's messages. */
export const fanOutOptions = (rateLimitFactor: number): FanOutOptions => ({
  windowMs: WINDOW_MS,
  relay: scaled(2 * MIB, 8 * MIB, rateLimitFactor),
  now: () => performance.now(),
})
