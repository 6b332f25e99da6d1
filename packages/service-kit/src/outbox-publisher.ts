import {
  AUDIT_STREAM,
  EVENTS,
  type EventType,
  OWNERS,
  streamName,
  streamOf,
} from '@looptide/contracts/events'
import type { Kysely } from 'kysely'
import type { EventKeys } from './event-keys.ts'
import type { EventTables } from './event-tables.ts'
import { highestDeliveredSeq } from './highest-delivered-seq.ts'
import { newId } from './ids.ts'
import type { Lease } from './lease.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type NatsConnection,
} from './nats-client.ts'
import {
  type ExpectedLast,
  messageAttributes,
  PUBLISH_TIMEOUT_MS,
  publishEnvelope,
} from './publish-envelope.ts'
import { classifyPublishError } from './publish-error.ts'
import {
  type Acknowledged,
  deadLetterRow,
  envelopeOf,
  forgetPublished,
  LeaseLostError,
  nextRows,
  type OutboxRow,
  publishedAfter,
  recordPublished,
  streamsOfPublished,
} from './published-events.ts'
import { StreamRecovery } from './stream-recovery.ts'
import { ignoreNotFound } from './streams.ts'
import { inSpan } from './tracing.ts'

export interface PublisherDeps {
  db: Kysely<EventTables>
  nats: NatsConnection
  lease: Lease
  logger: Logger
  metrics: Metrics
  keys: Pick<EventKeys, 'sign'>
  /** How long published rows are kept (ms), by default 5 minutes: longer than JetStream takes to sync a message. */
  retentionMs?: number
  /** How long NATS may deny a subject before the event is given up (ms), by default a minute. */
  deniedMs?: number
}

type Failure = { row: OutboxRow; error: unknown }
type Sent = { acknowledged: Acknowledged[]; failure: Failure | undefined }
/** Types that are not tried again in this pass, and the first error. */
type Waiting = { types: Set<string>; error: unknown }

const BATCH = 200
const RETENTION_MS = 300_000
const DENIED_MS = 60_000
/** How often a stream is compared with what was published to it (ms). */
const COMPARE_EVERY_MS = 30_000
/**
 * How long the audit log's consumer may be ahead of its stream before the gap is filled, in ms. The runner replaces such
 * a consumer sooner; filling leaves one message per lost position in the stream until the next migration step.
 */
const AUDIT_AHEAD_MS = 10_000
/** How often an event is sent in a row to a stream that turns out to end elsewhere. */
const PLACE_TRIES = 3
const STREAMS = OWNERS.map(streamName)

/**
 * Publishes the rows of an outbox in their order, each stream for itself. Only the holder of the outbox's lease may
 * use it. The first event of a batch names the stream's last message, each other the one before it, so that JetStream
 * refuses whatever stands behind a lost one, and whatever a former holder sends late. The audit stream is shared by all
 * owners and emptied by the audit log, so neither its end nor its contents show what was lost: audit events are sent
 * without an order, and after an interruption those of the last minutes are sent again (the audit log drops what it has).
 */
export class OutboxPublisher {
  readonly #deps: PublisherDeps
  readonly #js: JetStreamClient
  readonly #tail: StreamRecovery
  /** The number of each stream's last message; missing where it must be compared first. */
  readonly #last = new Map<string, number>()
  #mustCompare = true
  #mustRepeatAudit = true
  /** Since when the audit log's consumer has been ahead of its stream (`performance.now()`). */
  #auditAheadSinceMs: number | undefined
  /**
   * The number of the furthest audit event that the audit log was given before NATS was last away. A power cut may lose
   * the end of the stream, and NATS delivers nothing that is stored up to this number afterwards.
   */
  #auditDelivered = 0
  #comparedAtMs = performance.now()
  /** The row that was refused last, since when and how often. */
  #repeated: { seq: number; sinceMs: number; count: number } | undefined

  constructor(deps: PublisherDeps) {
    this.#deps = deps
    const { db, nats, lease, logger, metrics } = deps
    this.#js = jetstream(nats, { timeout: PUBLISH_TIMEOUT_MS })
    this.#tail = new StreamRecovery({
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

  /** NATS or the lease was away meanwhile: the streams may have changed. */
  forget(): void {
    this.#last.clear()
    this.#mustCompare = true
    this.#mustRepeatAudit = true
  }

  /** Compares the streams with what was published to them, after {@link forget} and every 30 s. */
  async compare(): Promise<void> {
    const { db, retentionMs = RETENTION_MS } = this.#deps
    const isTime = this.#mustCompare || performance.now() - this.#comparedAtMs >= COMPARE_EVERY_MS
    if (isTime) {
      for (const stream of await streamsOfPublished(db, STREAMS)) {
        this.#last.set(stream, await this.#tail.compare(stream))
      }
    }
    if (this.#mustRepeatAudit) await this.#repeatAudit()
    this.#mustCompare = false
    if (!isTime) return
    // NATS may have been away for longer than the retention: not before all have been published again.
    if (!this.#mustRepeatAudit) await forgetPublished(db, AUDIT_STREAM, retentionMs)
    this.#comparedAtMs = performance.now()
  }

  /** Publishes the audit events of the last minutes again, unless the audit log's consumer may be replaced first. */
  async #repeatAudit(): Promise<void> {
    const manager = await this.#manager()
    const info = await manager.streams.info(AUDIT_STREAM).catch(ignoreNotFound)
    const delivered = await highestDeliveredSeq(manager, AUDIT_STREAM)
    if (delivered > (info?.state.last_seq ?? 0)) {
      this.#auditAheadSinceMs ??= performance.now()
      if (performance.now() - this.#auditAheadSinceMs < AUDIT_AHEAD_MS) return
    }
    this.#auditAheadSinceMs = undefined
    await this.#publishAuditAgain(delivered)
    this.#mustRepeatAudit = false
  }

  async #publishAuditAgain(delivered: number): Promise<void> {
    const { db, lease } = this.#deps
    this.#auditDelivered = delivered
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
   * Publishes all rows there are; answers how many. A stream that refuses for the time being does not hold up the
   * others; its error is thrown at the end.
   */
  async publishAll(isStopped: () => boolean): Promise<number> {
    const waiting: Waiting = { types: new Set(), error: undefined }
    let total = 0
    while (!isStopped() && (await this.#deps.lease.hold())) {
      const rows = await nextRows(this.#deps.db, BATCH, [...waiting.types])
      if (rows.length === 0) break
      for (const [stream, own] of Map.groupBy(rows, ({ type }) => streamOf(type as EventType))) {
        total += await this.#publishTo(stream, own, waiting)
      }
    }
    if (waiting.error !== undefined) throw waiting.error
    return total
  }

  async #publishTo(stream: string, rows: readonly OutboxRow[], waiting: Waiting): Promise<number> {
    try {
      const { acknowledged, failure } = await this.#send(stream, rows)
      if (acknowledged.length > 0) await recordPublished(this.#deps.db, this.#deps.lease, acknowledged)
      if (failure !== undefined) await this.#settle(stream, failure)
      return acknowledged.length
    } catch (error) {
      this.#last.delete(stream)
      waiting.error ??= error
      for (const { type } of rows) waiting.types.add(type)
      for (const type of Object.keys(EVENTS) as EventType[]) {
        if (streamOf(type) === stream) waiting.types.add(type)
      }
      return 0
    }
  }

  /** Sends a batch without waiting between its events. Answers what was stored, and the first that was not. */
  async #send(stream: string, rows: readonly OutboxRow[]): Promise<Sent> {
    const isShared = stream === AUDIT_STREAM
    const first = isShared ? 0 : (this.#last.get(stream) ?? (await this.#tail.compare(stream)))
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

  /** Throws the error of an event that must wait; returns when the next batch may go on. */
  async #settle(stream: string, { row, error }: Failure): Promise<void> {
    const refusal = classifyPublishError(error, row.type)
    // Whether an event whose answer is missing was stored is known after a look at the stream.
    if (refusal !== 'permanent') this.#last.delete(stream)
    if (this.#repeated?.seq !== row.seq)
      this.#repeated = { seq: row.seq, sinceMs: performance.now(), count: 0 }
    this.#repeated.count += 1
    if (refusal === 'wrong_sequence' && this.#repeated.count <= PLACE_TRIES) return
    const isPatient = performance.now() - this.#repeated.sinceMs < (this.#deps.deniedMs ?? DENIED_MS)
    if (refusal !== 'permanent' && (refusal !== 'denied' || isPatient)) throw error
    const { db, lease, logger } = this.#deps
    const reason = error instanceof Error ? error.message : String(error)
    await deadLetterRow(db, lease, row, reason)
    logger.error({ err: error, eventId: row.id, type: row.type }, 'event cannot be published: dead-lettered')
  }

  /**
   * Publishes an audit event, if necessary several times, until it is stored where it will be delivered. A message id of
   * its own makes the stream store a repeat.
   */
  async #publishAudit(row: Omit<OutboxRow, 'writtenAt'>): Promise<Acknowledged> {
    let acknowledged = await this.#publish(row)
    while (acknowledged.streamSeq <= this.#auditDelivered) {
      acknowledged = await this.#publish(row, undefined, newId())
    }
    return acknowledged
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
