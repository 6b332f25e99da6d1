import { OWNERS } from '@looptide/contracts/event'
import {
  AUDIT_STREAM,
  EVENT_TYPES,
  EVENTS,
  type EventType,
  streamName,
  streamOf,
} from '@looptide/contracts/events'
import type { Kysely } from 'kysely'
import type { EventTables } from '../../db/event-tables.ts'
import type { Lease } from '../../db/lease.ts'
import type { Logger } from '../../telemetry/logger.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { inSpan } from '../../telemetry/tracing.ts'
import type { EventKeys } from '../event-keys.ts'
import {
  isNoResponders,
  isPermissionError,
  isUnsendable,
  type JetStreamClient,
  type JetStreamManager,
  jetStreamError,
  jetstream,
  jetstreamManager,
  type NatsConnection,
} from '../nats-client.ts'
import {
  type ExpectedLast,
  messageAttributes,
  PUBLISH_TIMEOUT_MS,
  publishEnvelope,
} from '../publish-envelope.ts'
import {
  type Acknowledged,
  deadLetterRow,
  deletePublished,
  envelopeOf,
  LeaseLostError,
  nextRows,
  type OutboxRow,
  publishedAfter,
  recordPublished,
  streamsOfPublished,
} from '../published-events.ts'
import { AuditPosition } from '../streams/audit-position.ts'
import { StreamRecovery } from '../streams/stream-recovery.ts'

/** JetStream: the stream's last message is not the expected one. */
const WRONG_LAST_CODES = new Set([10_070, 10_071])
/** JetStream: the message is larger than its stream allows. */
const MESSAGE_TOO_LARGE = 10_054

/**
 * The reason for which an event was not stored:
 * - `permanent`: no retry can succeed (too large, invalid subject);
 * - `denied`: NATS permissions do not allow the subject, or no stream stores this unknown type. Either the event or the
 *   configuration is wrong;
 * - `wrong_sequence`: the stream's last message is not the one the relay expected;
 * - `outage`: anything else. Retry.
 */
type PublishErrorKind = 'permanent' | 'denied' | 'wrong_sequence' | 'outage'

function classifyPublishError(error: unknown, type: string): PublishErrorKind {
  if (isUnsendable(error)) return 'permanent'
  if (isPermissionError(error)) return 'denied'
  if (isNoResponders(error)) return type in EVENTS ? 'outage' : 'denied'
  const code = jetStreamError(error)?.code ?? 0
  if (WRONG_LAST_CODES.has(code)) return 'wrong_sequence'
  return code === MESSAGE_TOO_LARGE ? 'permanent' : 'outage'
}

export interface PublisherDeps {
  db: Kysely<EventTables>
  nats: NatsConnection
  lease: Lease
  logger: Logger
  metrics: Metrics
  keys: Pick<EventKeys, 'sign'>
  /** Retention of published rows, in ms. Default: 5 minutes, longer than JetStream takes to sync a message. */
  retentionMs?: number
  /** An event whose subject NATS denies for this time is dead-lettered, in ms. Default: one minute. */
  deniedMs?: number
  /** How long the audit log's consumer may be ahead of its stream before the gap is filled, in ms. Default: 10 s. */
  aheadMs?: number
}

interface Failure {
  row: OutboxRow
  error: unknown
}
interface Sent {
  acknowledged: Acknowledged[]
  failure: Failure | undefined
}
/** Event types skipped for the rest of this pass, and the first error. */
interface Skipped {
  types: Set<string>
  error: unknown
}

const BATCH = 200
const RETENTION_MS = 300_000
const DENIED_MS = 60_000
/** Interval between comparisons of the streams with the published events, in ms. */
const COMPARE_EVERY_MS = 30_000
/** Retries of an event whose stream does not end where expected, before it counts as an outage. */
const MAX_SEQUENCE_RETRIES = 3
const STREAMS = OWNERS.map(streamName)

/**
 * Publishes the rows of an outbox in order, per stream. Only the holder of the outbox's lease may use it. The first
 * event of a batch states the expected last message of the stream, every other event the one before it. JetStream
 * therefore refuses events after a lost one, and late events of a former lease holder. The audit stream is shared by all
 * owners and emptied by the audit log, so its contents do not show which events were lost. Audit events are sent without
 * an expected predecessor; after an interruption those of the last minutes are sent again, and the audit log ignores
 * duplicates.
 */
export class OutboxPublisher {
  readonly #deps: PublisherDeps
  readonly #js: JetStreamClient
  readonly #recovery: StreamRecovery
  readonly #auditPosition: AuditPosition
  /** Sequence number of each stream's last message; missing if the stream must be compared first. */
  readonly #last = new Map<string, number>()
  #mustCompare = true
  #mustRepeatAudit = true
  #comparedAtMs = performance.now()
  /** The last refused row, when it was first refused (`performance.now()`) and how often. */
  #refused: { seq: number; sinceMs: number; count: number } | undefined

  constructor(deps: PublisherDeps) {
    this.#deps = deps
    const { db, nats, lease, logger, metrics } = deps
    this.#js = jetstream(nats, { timeout: PUBLISH_TIMEOUT_MS })
    this.#auditPosition = new AuditPosition(() => this.#manager(), deps.aheadMs)
    this.#recovery = new StreamRecovery({
      db,
      lease,
      logger,
      metrics,
      js: this.#js,
      manager: () => this.#manager(),
      publish: async (row) => (await this.#publish(row)).streamSeq,
      retentionMs: deps.retentionMs ?? RETENTION_MS,
    })
  }

  #manager(): Promise<JetStreamManager> {
    return jetstreamManager(this.#deps.nats, { checkAPI: false, timeout: PUBLISH_TIMEOUT_MS })
  }

  /** Discards the known state of the streams. Call it after NATS or the lease was lost: the streams may have changed. */
  reset(): void {
    this.#last.clear()
    this.#mustCompare = true
    this.#mustRepeatAudit = true
  }

  /** Compares the streams with the published events, after {@link reset} and every 30 s. */
  async compare(): Promise<void> {
    const { db, retentionMs = RETENTION_MS } = this.#deps
    const isDue = this.#mustCompare || performance.now() - this.#comparedAtMs >= COMPARE_EVERY_MS
    if (isDue) {
      for (const stream of await streamsOfPublished(db, STREAMS)) {
        this.#last.set(stream, await this.#recovery.compare(stream))
      }
    }
    if (this.#mustRepeatAudit) await this.#repeatAudit()
    this.#mustCompare = false
    if (!isDue) return
    // NATS may have been down for longer than the retention: keep the rows until they were published again.
    if (!this.#mustRepeatAudit) await deletePublished(db, AUDIT_STREAM, retentionMs)
    this.#comparedAtMs = performance.now()
  }

  /** Publishes the audit events of the last minutes again, as soon as the position of the audit log is known. */
  async #repeatAudit(): Promise<void> {
    if (!(await this.#auditPosition.refresh())) return
    await this.#publishAuditAgain()
    this.#mustRepeatAudit = false
  }

  async #publishAuditAgain(): Promise<void> {
    const { db, lease } = this.#deps
    for (let after = 0; ; ) {
      if (!(await lease.hold())) throw new LeaseLostError()
      const rows = await publishedAfter(db, AUDIT_STREAM, after, BATCH)
      await Promise.all(rows.map((row) => this.#publishAudit(row)))
      const last = rows.at(-1)
      if (last === undefined) return
      after = last.streamSeq
    }
  }

  /**
   * Publishes all rows and returns their number. Rows that are committed meanwhile may be left; their commit notifies the
   * caller. A stream that refuses temporarily does not delay the others; its error is thrown at the end.
   */
  async publishAll(isStopped: () => boolean): Promise<number> {
    const skipped: Skipped = { types: new Set(), error: undefined }
    let total = 0
    while (!isStopped() && (await this.#deps.lease.hold())) {
      const rows = await nextRows(this.#deps.db, BATCH, [...skipped.types])
      if (rows.length === 0) break
      let published = 0
      for (const [stream, own] of Map.groupBy(rows, ({ type }) => streamOf(type as EventType))) {
        published += await this.#publishTo(stream, own, skipped)
      }
      total += published
      if (published === rows.length && rows.length < BATCH) break
    }
    if (skipped.error !== undefined) throw skipped.error
    return total
  }

  async #publishTo(stream: string, rows: readonly OutboxRow[], skipped: Skipped): Promise<number> {
    try {
      const { acknowledged, failure } = await this.#send(stream, rows)
      if (acknowledged.length > 0) await recordPublished(this.#deps.db, this.#deps.lease, acknowledged)
      if (failure !== undefined) await this.#handleFailure(stream, failure)
      return acknowledged.length
    } catch (error) {
      this.#last.delete(stream)
      skipped.error ??= error
      for (const { type } of rows) skipped.types.add(type)
      for (const type of EVENT_TYPES) {
        if (streamOf(type) === stream) skipped.types.add(type)
      }
      return 0
    }
  }

  /** Sends a batch without waiting between its events. Returns the stored events and the first failure. */
  async #send(stream: string, rows: readonly OutboxRow[]): Promise<Sent> {
    const isShared = stream === AUDIT_STREAM
    const first = isShared ? 0 : (this.#last.get(stream) ?? (await this.#recovery.compare(stream)))
    const sent = await Promise.allSettled(
      rows.map((row, i) => {
        const previous = rows[i - 1]
        if (isShared) return this.#publishAudit(row)
        return this.#publish(row, previous ? { lastMsgID: previous.id } : { lastSequence: first })
      }),
    )
    const acknowledged = sent.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    this.#last.set(stream, Math.max(first, ...acknowledged.map(({ streamSeq }) => streamSeq)))
    const failed = sent.findIndex(({ status }) => status === 'rejected')
    const row = rows[failed]
    const outcome = sent[failed]
    const isFailure = row !== undefined && outcome?.status === 'rejected'
    return { acknowledged, failure: isFailure ? { row, error: outcome.reason } : undefined }
  }

  /** Handles a refused event: dead-letters it, returns to retry it, or throws if it must wait. */
  async #handleFailure(stream: string, { row, error }: Failure): Promise<void> {
    const refusal = classifyPublishError(error, row.type)
    // Without an acknowledgement, only a comparison with the stream shows whether the event was stored.
    if (refusal !== 'permanent') this.#last.delete(stream)
    if (this.#refused?.seq !== row.seq) this.#refused = { seq: row.seq, sinceMs: performance.now(), count: 0 }
    this.#refused.count += 1
    if (refusal === 'wrong_sequence' && this.#refused.count <= MAX_SEQUENCE_RETRIES) return
    const isWithinDeniedTime = performance.now() - this.#refused.sinceMs < (this.#deps.deniedMs ?? DENIED_MS)
    if (refusal !== 'permanent' && (refusal !== 'denied' || isWithinDeniedTime)) throw error
    const { db, lease, logger } = this.#deps
    const reason = error instanceof Error ? error.message : String(error)
    await deadLetterRow(db, lease, row, reason)
    logger.error({ err: error, eventId: row.id, type: row.type }, 'event dead-lettered')
  }

  #publishAudit(row: Omit<OutboxRow, 'writtenAt'>): Promise<Acknowledged> {
    return this.#auditPosition.publishAfter((messageId) => this.#publish(row, undefined, messageId))
  }

  async #publish(
    row: Omit<OutboxRow, 'writtenAt'>,
    expect?: ExpectedLast,
    messageId?: string,
  ): Promise<Acknowledged> {
    const envelope = envelopeOf(row)
    const { type } = envelope
    const { seq } = await inSpan(
      `publish ${type}`,
      { kind: 'producer', parent: row.traceParent, attributes: messageAttributes(type, row.id) },
      () => publishEnvelope(this.#js, this.#deps.keys, envelope, expect, messageId),
    )
    this.#deps.metrics.eventsPublished.inc({ type })
    return { seq: row.seq, stream: streamOf(type), streamSeq: seq }
  }
}
