import type { Generated, JSONColumnType } from 'kysely'

/** Mix into a service's database type: `interface Database extends EventTables { videos: … }`. */
export interface EventTables {
  outbox: {
    seq: Generated<number>
    id: string
    type: string
    occurredAt: Date
    actorId: string | null
    correlationId: string | null
    aggregateId: string
    data: JSONColumnType<object>
    /** A W3C `traceparent`, where tracing is on. */
    traceParent: Generated<string | null>
  }
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
