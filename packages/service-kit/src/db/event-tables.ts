import type { Generated, JSONColumnType } from 'kysely'

/** Columns of an event in `outbox` and `published_events`. */
interface EventColumns {
  id: string
  type: string
  occurredAt: Date
  actorId: string | null
  correlationId: string | null
  aggregateId: string
  data: JSONColumnType<object>
  /** A W3C `traceparent`, if tracing is enabled. */
  traceParent: Generated<string | null>
}

/** Extended by a service's database type: `interface Database extends EventTables { videos: … }`. */
export interface EventTables {
  outbox: EventColumns & {
    seq: Generated<number>
    /** Start of the transaction that wrote the row, by the database's clock. */
    writtenAt: Generated<Date>
  }
  /** Events that JetStream acknowledged in the last minutes; see `published-events.ts`. */
  publishedEvents: EventColumns & {
    seq: number
    stream: string
    /** Sequence number of the message in its stream. */
    streamSeq: number
    publishedAt: Generated<Date>
  }
  leases: { name: string; holder: string; expiresAt: Date }
  inbox: { consumer: string; eventId: string; receivedAt: Generated<Date> }
  deadLetters: {
    id: Generated<number>
    consumer: string
    subject: string
    eventId: string | null
    envelope: JSONColumnType<object>
    error: string
    failedAt: Generated<Date>
    replayedAt: Date | null
  }
}
