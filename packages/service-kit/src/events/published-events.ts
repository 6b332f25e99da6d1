import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { EventTables } from '../db/event-tables.ts'
import type { Lease } from '../db/lease.ts'

type Tables = Kysely<EventTables>
export type OutboxRow = Selectable<EventTables['outbox']>
export type PublishedRow = Selectable<EventTables['publishedEvents']>

/** Maximum rows that one statement deletes. */
const CHUNK = 1000

/** Thrown by a relay whose lease was taken over by another process. Nothing was changed. */
export class LeaseLostError extends Error {
  constructor() {
    super('another process holds the lease of this outbox')
    this.name = 'LeaseLostError'
  }
}

/** The envelope of a row. `aggregateVersion` is the row's `seq`, which increases per aggregate. */
export const envelopeOf = (row: Omit<OutboxRow, 'writtenAt'>): Envelope => ({
  id: row.id,
  type: row.type as EventType,
  occurredAt: row.occurredAt.toISOString(),
  actorId: row.actorId,
  correlationId: row.correlationId,
  aggregateId: row.aggregateId,
  aggregateVersion: row.seq,
  data: row.data as EventData<EventType>,
})

/** The oldest rows of the outbox, except those of the types `without`. */
export const nextRows = (
  db: Tables,
  limit: number,
  without: readonly string[] = [],
): Promise<OutboxRow[]> => {
  const rows = db.selectFrom('outbox').selectAll().orderBy('seq').limit(limit)
  return (without.length === 0 ? rows : rows.where('type', 'not in', without)).execute()
}

/** An acknowledged outbox row and the position of its message. */
export interface Acknowledged {
  seq: number
  stream: string
  streamSeq: number
}

/**
 * Moves acknowledged rows from the outbox to the published events. It is a single statement, so that a process that stops
 * holds no lock. Throws {@link LeaseLostError} if another process holds the lease.
 */
export async function recordPublished(
  db: Tables,
  lease: Lease,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const seqs = acknowledged.map(({ seq }) => seq)
  const streams = acknowledged.map(({ stream }) => stream)
  const streamSeqs = acknowledged.map(({ streamSeq }) => streamSeq)
  const { rows } = await sql<{ held: number }>`
    with held as (${lease.held()}),
    acked as (
      select * from unnest(${seqs}::bigint[], ${streams}::text[], ${streamSeqs}::bigint[])
        as a (seq, stream, stream_seq)),
    deleted as (
      delete from outbox o using acked a where o.seq = a.seq and exists (select from held)
      returning o.*, a.stream, a.stream_seq),
    inserted as (
      insert into published_events (seq, stream, stream_seq, id, type, occurred_at, actor_id, correlation_id,
        aggregate_id, data, trace_parent)
      select seq, stream, stream_seq, id, type, occurred_at, actor_id, correlation_id, aggregate_id, data, trace_parent
      from deleted
      on conflict (seq) do update
        set stream = excluded.stream, stream_seq = excluded.stream_seq, published_at = excluded.published_at)
    select count(*) as held from held`.execute(db)
  if (rows[0]?.held !== 1) throw new LeaseLostError()
}

/** Moves a row that cannot be published to the dead letters. An admin can return it to the outbox. */
export async function deadLetterRow(db: Tables, lease: Lease, row: OutboxRow, error: string): Promise<void> {
  const { rows } = await sql<{ held: number }>`
    with held as (${lease.held()}),
    deleted as (delete from outbox where seq = ${row.seq} and exists (select from held) returning id),
    letter as (
      insert into dead_letters (consumer, subject, event_id, envelope, error)
      select ${OUTBOX_DEAD_LETTER}, ${row.type}, id, ${JSON.stringify(envelopeOf(row))}::jsonb, ${error} from deleted
      on conflict (consumer, event_id) do update
        set error = excluded.error, failed_at = now(), replayed_at = null)
    select count(*) as held from held`.execute(db)
  if (rows[0]?.held !== 1) throw new LeaseLostError()
}

/** `consumer` of a dead letter that JetStream refused. */
export const OUTBOX_DEAD_LETTER = 'outbox'

/**
 * Returns the event of a dead letter to the outbox with its original `seq`, which orders it among the events of its
 * aggregate. False if the letter was replayed before.
 */
export async function returnToOutbox(db: Tables, letterId: number, envelope: Envelope): Promise<boolean> {
  const { rows } = await sql`
    with letter as (
      update dead_letters set replayed_at = now() where id = ${letterId} and replayed_at is null returning id)
    insert into outbox (seq, id, type, occurred_at, actor_id, correlation_id, aggregate_id, data)
    select ${envelope.aggregateVersion}::bigint, ${envelope.id}::uuid, ${envelope.type}, ${envelope.occurredAt}::timestamptz,
      ${envelope.actorId}, ${envelope.correlationId}, ${envelope.aggregateId}, ${JSON.stringify(envelope.data)}::jsonb
    from letter
    returning seq`.execute(db)
  return rows.length === 1
}

/** The streams among `streams` that have published rows. */
export async function streamsOfPublished(db: Tables, streams: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ stream: string }>`
    select stream from unnest(${streams}::text[]) as known (stream)
    where exists (select from published_events p where p.stream = known.stream)`.execute(db)
  return rows.map(({ stream }) => stream)
}

/** Published rows of a stream before `streamSeq`, newest first. */
export const publishedBelow = (db: Tables, stream: string, streamSeq: number): Promise<PublishedRow[]> =>
  db
    .selectFrom('publishedEvents')
    .selectAll()
    .where('stream', '=', stream)
    .where('streamSeq', '<', streamSeq)
    .orderBy('streamSeq', 'desc')
    .limit(100)
    .execute()

/** Updates the position of a row that was published again. */
export async function movePublished(db: Tables, seq: number, streamSeq: number): Promise<void> {
  await sql`update published_events set stream_seq = ${streamSeq}, published_at = now() where seq = ${seq}`.execute(
    db,
  )
}

/** Deletes rows of a stream that were published more than `ageMs` ago, except the newest. */
export async function prunePublished(db: Tables, stream: string, ageMs: number): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from published_events where seq = any(array(
        select seq from published_events
        where published_at < now() - ${ageMs} * interval '1 ms' and stream = ${stream}
          and stream_seq < (select max(stream_seq) from published_events where stream = ${stream})
        order by published_at limit ${CHUNK}))`.execute(db)
    if (numAffectedRows < CHUNK) return
  }
}

/** Published rows of a stream after `streamSeq`, oldest first. */
export const publishedAfter = (
  db: Tables,
  stream: string,
  streamSeq: number,
  limit: number,
): Promise<PublishedRow[]> =>
  db
    .selectFrom('publishedEvents')
    .selectAll()
    .where('stream', '=', stream)
    .where('streamSeq', '>', streamSeq)
    .orderBy('streamSeq')
    .limit(limit)
    .execute()

/** Deletes all rows of a stream that were published more than `ageMs` ago. */
export async function deletePublished(db: Tables, stream: string, ageMs: number): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from published_events where seq = any(array(
        select seq from published_events
        where published_at < now() - ${ageMs} * interval '1 ms' and stream = ${stream}
        order by published_at limit ${CHUNK}))`.execute(db)
    if (numAffectedRows < CHUNK) return
  }
}
