import { AUDIT_STREAM } from '@looptide/contracts/events'
import { newId } from '../../db/ids.ts'
import type { JetStreamManager } from '../nats-client.ts'
import { ignoreNotFound } from '../streams.ts'
import { highestDeliveredSeq } from './highest-delivered-seq.ts'

/**
 * How long the audit log's consumer may be ahead of its stream before the gap is filled, in ms. The runner replaces such
 * a consumer sooner. Filling leaves one message per lost position in the stream until the next migration step.
 */
const AHEAD_MS = 10_000

/**
 * The position of the audit log's consumer in the audit stream. A power cut may lose the end of the stream. NATS never
 * delivers messages that are then stored up to the consumer's position, so audit events are published until they are
 * stored after it.
 */
export class AuditPosition {
  readonly #manager: () => Promise<JetStreamManager>
  readonly #aheadMs: number
  /** Highest sequence number that was delivered at the last {@link refresh}. */
  #delivered = 0
  /** When the consumer was first seen ahead of its stream (`performance.now()`). */
  #aheadSinceMs: number | undefined

  constructor(manager: () => Promise<JetStreamManager>, aheadMs = AHEAD_MS) {
    this.#manager = manager
    this.#aheadMs = aheadMs
  }

  /** Reads the position. False for up to `aheadMs` while the consumer is ahead of its stream: the runner may replace it. */
  async refresh(): Promise<boolean> {
    const manager = await this.#manager()
    const info = await manager.streams.info(AUDIT_STREAM).catch(ignoreNotFound)
    const delivered = await highestDeliveredSeq(manager, AUDIT_STREAM)
    if (delivered > (info?.state.last_seq ?? 0)) {
      this.#aheadSinceMs ??= performance.now()
      if (performance.now() - this.#aheadSinceMs < this.#aheadMs) return false
    }
    this.#aheadSinceMs = undefined
    this.#delivered = delivered
    return true
  }

  /**
   * Publishes an audit event, repeatedly if necessary, until it is stored after the position. Each repeat gets a new
   * message id, because the stream drops messages with a known id.
   */
  async publishAfter<T extends { streamSeq: number }>(
    publish: (messageId?: string) => Promise<T>,
  ): Promise<T> {
    let stored = await publish()
    while (stored.streamSeq <= this.#delivered) stored = await publish(newId())
    return stored
  }
}
