import { type EventType, streamOf } from '@looptide/contracts/events'
import type { Kysely } from 'kysely'
import type { EventTables } from '../../db/event-tables.ts'
import type { Lease } from '../../db/lease.ts'
import type { Logger } from '../../telemetry/logger.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import {
  headers,
  type JetStreamClient,
  type JetStreamManager,
  type StreamInfo,
  storedMessage,
} from '../nats-client.ts'
import {
  LeaseLostError,
  movePublished,
  nextRows,
  type OutboxRow,
  type PublishedRow,
  prunePublished,
  publishedBelow,
} from '../published-events.ts'
import { ignoreNotFound } from '../streams.ts'
import { highestDeliveredSeq } from './highest-delivered-seq.ts'

interface RecoveryDeps {
  db: Kysely<EventTables>
  lease: Lease
  js: JetStreamClient
  manager: () => Promise<JetStreamManager>
  logger: Logger
  metrics: Metrics
  /** Publishes an event with its own message id. Returns its sequence number in the stream. */
  publish: (row: Omit<OutboxRow, 'writtenAt'>) => Promise<number>
  /** Retention of published rows, in ms. */
  retentionMs: number
}

/**
 * Finds and republishes events that a stream has lost. JetStream acknowledges messages before it syncs them to disk
 * (every two minutes by default). A power cut may lose the newest messages, and a durable consumer may then be ahead of
 * its stream. NATS (2.9) delivers nothing to such a consumer until the stream has grown past its position.
 */
export class StreamRecovery {
  readonly #deps: RecoveryDeps

  constructor(deps: RecoveryDeps) {
    this.#deps = deps
  }

  /**
   * Republishes the lost events in order. Then deletes published rows older than the retention. Returns the sequence number
   * of the stream's last message (0 if it is empty or missing).
   */
  async compare(stream: string): Promise<number> {
    const manager = await this.#deps.manager()
    const info = await manager.streams.info(stream).catch(ignoreNotFound)
    const furthest = info === undefined ? 0 : await highestDeliveredSeq(manager, stream)
    const lost = await this.#findLost(manager, stream, info)
    let last = info?.state.last_seq ?? 0
    if (lost.length > 0) {
      const { logger, metrics } = this.#deps
      logger.error({ stream, count: lost.length }, 'stream lost acknowledged events, republishing')
      metrics.eventsRecovered.inc(lost.length)
      last = await this.#publishAgain(manager, stream, lost, furthest)
    }
    if (last < furthest) last = await this.#fillPastConsumers(manager, stream, last, furthest)
    await prunePublished(this.#deps.db, stream, this.#deps.retentionMs)
    return last
  }

  /** Lost rows, oldest first. Searches from the newest row back until a whole page is in the stream. */
  async #findLost(
    manager: JetStreamManager,
    stream: string,
    info: StreamInfo | undefined,
  ): Promise<PublishedRow[]> {
    const lost: PublishedRow[] = []
    for (let below = Number.MAX_SAFE_INTEGER; ; ) {
      const page = await publishedBelow(this.#deps.db, stream, below)
      // Usually nothing is lost, and checking the newest row suffices.
      const checked = below === Number.MAX_SAFE_INTEGER ? page.slice(0, 1) : page
      const isStored = await Promise.all(checked.map((row) => isInStream(manager, stream, info, row)))
      const missing = checked.filter((_row, index) => isStored[index] === false)
      if (missing.length === 0) return lost.reverse()
      lost.push(...missing)
      below = checked.at(-1)?.streamSeq ?? 0
    }
  }

  /**
   * Publishes each row at its former position, or later if a consumer is ahead. A consumer past an event's former position
   * has applied that event and skips whatever is stored there now.
   */
  async #publishAgain(
    manager: JetStreamManager,
    stream: string,
    lost: readonly PublishedRow[],
    furthest: number,
  ): Promise<number> {
    const { db, lease, publish } = this.#deps
    let last = 0
    for (const row of lost) {
      if (!(await lease.hold())) throw new LeaseLostError()
      last = await publish(row)
      while (last < row.streamSeq && last <= furthest) last = await this.#repeat(manager, stream, last)
      await movePublished(db, row.seq, last)
    }
    return last
  }

  /** Fills the stream past its furthest consumer with duplicates, which every inbox ignores. */
  async #fillPastConsumers(
    manager: JetStreamManager,
    stream: string,
    from: number,
    furthest: number,
  ): Promise<number> {
    let last = from
    this.#deps.logger.warn({ stream, last, furthest }, 'consumers ahead of stream, filling it')
    while (last <= furthest) {
      if (!(await this.#deps.lease.hold())) throw new LeaseLostError()
      const next = await this.#repeat(manager, stream, last)
      if (next === last) return last
      last = next
    }
    return last
  }

  /** Publishes the message with this sequence number again, or the next event if there is none. Returns the new last number. */
  async #repeat(manager: JetStreamManager, stream: string, seq: number): Promise<number> {
    const message = seq === 0 ? null : await storedMessage(manager, stream, seq)
    if (message === null) {
      const rows = await nextRows(this.#deps.db, 100)
      const row = rows.find(({ type }) => streamOf(type as EventType) === stream)
      return row === undefined ? seq : this.#deps.publish(row)
    }
    const meta = headers()
    for (const [name, values] of message.header ?? []) {
      if (!name.startsWith('Nats-')) for (const value of values) meta.append(name, value)
    }
    return (await this.#deps.js.publish(message.subject, message.data, { headers: meta })).seq
  }
}

/** Whether the stream contains this event at its position. Events discarded by the stream's limits do not count as lost. */
async function isInStream(
  manager: JetStreamManager,
  stream: string,
  info: StreamInfo | undefined,
  row: PublishedRow,
): Promise<boolean> {
  if (info === undefined || row.streamSeq > info.state.last_seq) return false
  if (row.streamSeq < info.state.first_seq) return true
  const message = await storedMessage(manager, stream, row.streamSeq)
  return message !== null && idIn(message.string()) === row.id
}

function idIn(payload: string): unknown {
  try {
    return (JSON.parse(payload) as { id?: unknown } | null)?.id
  } catch {
    return undefined
  }
}
