import { type EventType, streamOf } from '@looptide/contracts/events'
import type { Kysely } from 'kysely'
import type { EventTables } from './event-tables.ts'
import { highestDeliveredSeq } from './highest-delivered-seq.ts'
import type { Lease } from './lease.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import {
  headers,
  type JetStreamClient,
  type JetStreamManager,
  type StreamInfo,
  storedMessage,
} from './nats-client.ts'
import {
  LeaseLostError,
  movePublished,
  nextRows,
  type OutboxRow,
  type PublishedRow,
  prunePublished,
  publishedBelow,
} from './published-events.ts'
import { ignoreNotFound } from './streams.ts'

interface TailDeps {
  db: Kysely<EventTables>
  lease: Lease
  js: JetStreamClient
  manager: () => Promise<JetStreamManager>
  logger: Logger
  metrics: Metrics
  /** Publishes an event under its own message id; answers its place in the stream. */
  publish: (row: Omit<OutboxRow, 'writtenAt'>) => Promise<number>
  /** How long published rows are kept, in ms. */
  retentionMs: number
}

/**
 * Compares a stream with what was published to it. JetStream acknowledges a message before it syncs it to disk (every
 * two minutes by default), so a power cut loses the newest ones, and a durable consumer may then be further than its
 * stream. NATS (2.9) would deliver nothing to that consumer until the stream has grown past its position.
 */
export class StreamRecovery {
  readonly #deps: TailDeps

  constructor(deps: TailDeps) {
    this.#deps = deps
  }

  /**
   * Publishes again, in their order, the events that the stream has lost, and answers the number of its last message
   * (0: empty or missing). Then deletes published rows that are older than the retention.
   */
  async compare(stream: string): Promise<number> {
    const manager = await this.#deps.manager()
    const info = await manager.streams.info(stream).catch(ignoreNotFound)
    const furthest = info === undefined ? 0 : await highestDeliveredSeq(manager, stream)
    const lost = await this.#findLost(manager, stream, info)
    let last = info?.state.last_seq ?? 0
    if (lost.length > 0) {
      const { logger, metrics } = this.#deps
      logger.error({ stream, count: lost.length }, 'stream lost acknowledged events: publishing them again')
      metrics.eventsRecovered.inc(lost.length)
      last = await this.#publishAgain(manager, stream, lost, furthest)
    }
    if (last < furthest) last = await this.#passConsumers(manager, stream, last, furthest)
    await prunePublished(this.#deps.db, stream, this.#deps.retentionMs)
    return last
  }

  /** From the newest back, until a page of rows is in the stream entirely; oldest first. */
  async #findLost(
    manager: JetStreamManager,
    stream: string,
    info: StreamInfo | undefined,
  ): Promise<PublishedRow[]> {
    const lost: PublishedRow[] = []
    for (let below = Number.MAX_SAFE_INTEGER; ; ) {
      const page = await publishedBelow(this.#deps.db, stream, below)
      // The newest alone tells in the usual case, in which nothing is lost.
      const asked = below === Number.MAX_SAFE_INTEGER ? page.slice(0, 1) : page
      const there = await Promise.all(asked.map((row) => isThere(manager, stream, info, row)))
      const missing = asked.filter((_row, index) => there[index] === false)
      if (missing.length === 0) return lost.reverse()
      lost.push(...missing)
      below = asked.at(-1)?.streamSeq ?? 0
    }
  }

  /**
   * Each at its former place or behind it where a consumer is ahead: one that has passed the place of an event has
   * applied the event, and skips what is there now.
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

  /** Fills the stream up to behind its furthest consumer, with repeats that every inbox drops or applies first. */
  async #passConsumers(
    manager: JetStreamManager,
    stream: string,
    from: number,
    furthest: number,
  ): Promise<number> {
    let last = from
    this.#deps.logger.warn({ stream, last, furthest }, 'consumers are ahead of their stream: filling it')
    while (last <= furthest) {
      if (!(await this.#deps.lease.hold())) throw new LeaseLostError()
      const next = await this.#repeat(manager, stream, last)
      if (next === last) return last
      last = next
    }
    return last
  }

  /** Publishes the message of this number once more, or the next event if there is none. Answers the new last number. */
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

/** Whether the stream holds this event at its place. What the stream's limits have discarded is not lost. */
async function isThere(
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
