import { type BucketSize, LeakyBucket } from '../../limits/leaky-bucket.ts'
import type { JsonBounds } from '../protocol/json-bounds.ts'

/** Limits on what a class of sockets sends. */
export interface InboundLimits {
  /** Largest message, in bytes. */
  maxMessageBytes: number
  /** Rate of all received bytes, including frame headers and control frames. */
  bytes: BucketSize
  /** Rate of the bytes that the station sends because of its messages, copies for others included. */
  answered: BucketSize
  json: JsonBounds
}

/** Allowance for the frame headers of a fragmented message, in bytes. */
const FRAMING_BYTES = 1024

/** The limit that a socket exceeded. */
type Excess = 'flood' | 'tooLarge'

/**
 * Counts what a socket sends, as it arrives. An incomplete message is refused as soon as more of it has arrived than a
 * message may have. A socket therefore buffers at most one message and one read of the network (64 KiB), for a time that
 * `IncompleteMessages` limits.
 */
export class InboundMeter {
  readonly #bytes: LeakyBucket
  readonly #messages: LeakyBucket
  readonly #messageRate: BucketSize

  constructor(messageRate: BucketSize, nowMs: number) {
    this.#messageRate = messageRate
    this.#bytes = new LeakyBucket(nowMs)
    this.#messages = new LeakyBucket(nowMs)
  }

  /** Counts bytes read from the network. `incompleteBytes`: those received of a message that is not complete. */
  read(bytes: number, incompleteBytes: number, limits: InboundLimits, nowMs: number): Excess | null {
    if (!this.#bytes.add(bytes, limits.bytes, nowMs)) return 'flood'
    return incompleteBytes > limits.maxMessageBytes + FRAMING_BYTES ? 'tooLarge' : null
  }

  /** Counts a complete message. */
  message(bytes: number, limits: InboundLimits, nowMs: number): Excess | null {
    if (bytes > limits.maxMessageBytes) return 'tooLarge'
    return this.spend(1, nowMs) ? null : 'flood'
  }

  /** Counts `cost` messages. False above the rate. */
  spend(cost: number, nowMs: number): boolean {
    return this.#messages.add(cost, this.#messageRate, nowMs)
  }

  /** Counts bytes that are relayed to other sockets. False above the rate. */
  relay(bytes: number, limits: InboundLimits, nowMs: number): boolean {
    return this.#bytes.add(bytes, limits.bytes, nowMs)
  }
}
