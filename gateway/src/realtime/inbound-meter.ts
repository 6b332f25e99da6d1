import { type BucketSize, LeakyBucket } from '../limits/leaky-bucket.ts'
import type { JsonBounds } from './json-bounds.ts'

/** What one class of sockets may send. */
export interface InboundLimits {
  /** Largest message, in bytes. */
  maxMessageBytes: number
  /** All bytes that arrive, frame headers and control frames included. */
  bytes: BucketSize
  json: JsonBounds
}

/** Frame headers of a message sent in several frames, in bytes. */
const FRAMING_BYTES = 1024

/** Why a socket that sends too much is closed. */
export type Excess = 'flood' | 'tooLarge'

/**
 * Counts what a socket sends, as it arrives: an unfinished message is refused as soon as more of it has arrived than a
 * message may have, so nobody makes the gateway buffer more than that and one read of the network (64 KiB).
 */
export class InboundMeter {
  readonly #bytes: LeakyBucket
  readonly #messages: LeakyBucket
  readonly #messageRate: BucketSize
  /** Bytes of the message that has not arrived completely. */
  #unfinishedBytes = 0
  #isFinished = false

  constructor(messageRate: BucketSize, nowMs: number) {
    this.#messageRate = messageRate
    this.#bytes = new LeakyBucket(nowMs)
    this.#messages = new LeakyBucket(nowMs)
  }

  /** Bytes were read from the network, and the messages that end in them have been handled. */
  read(bytes: number, limits: InboundLimits, nowMs: number): Excess | null {
    this.#unfinishedBytes = this.#isFinished ? 0 : this.#unfinishedBytes + bytes
    this.#isFinished = false
    if (!this.#bytes.add(bytes, limits.bytes, nowMs)) return 'flood'
    return this.#unfinishedBytes > limits.maxMessageBytes + FRAMING_BYTES ? 'tooLarge' : null
  }

  /** A whole message arrived. */
  message(bytes: number, limits: InboundLimits, nowMs: number): Excess | null {
    this.#isFinished = true
    if (bytes > limits.maxMessageBytes) return 'tooLarge'
    return this.spend(1, nowMs) ? null : 'flood'
  }

  /** Counts `cost` messages; false when these are too many. */
  spend(cost: number, nowMs: number): boolean {
    return this.#messages.add(cost, this.#messageRate, nowMs)
  }

  /** Counts bytes that are passed on to others; false when these are too many. */
  relay(bytes: number, limits: InboundLimits, nowMs: number): boolean {
    return this.#bytes.add(bytes, limits.bytes, nowMs)
  }
}
