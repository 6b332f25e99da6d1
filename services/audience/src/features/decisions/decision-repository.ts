import type { Currency } from '@looptide/fairness/ranking'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { Decided } from './charge.ts'
import { packBody, type QueueBody, unpackBody } from './queue-body.ts'

/** A decision that has neither been aired nor undone. */
export interface OpenDecision extends Decided {
  sequence: number
}

/** A stored queue. `decided`: the requests whose charges its loads contain. */
export interface StoredBody {
  body: QueueBody
  decided: string[]
  createdAt: Date
}

/** Stores the queue of a sequence with its accounts. */
export async function insertBody(
  trx: Transaction<Database>,
  { channelId, sequence }: { channelId: string; sequence: number },
  decided: readonly string[],
  body: QueueBody,
): Promise<void> {
  await sql`insert into queue_bodies (channel_id, sequence, decided, body, created_at)
    values (${channelId}, ${sequence}, ${[...decided]}::uuid[], ${await packBody(body)}, ${new Date(body.nowMs)})`.execute(
    trx,
  )
}

/** The queue of a sequence; undefined if there was none, or if it is too old. */
export async function findBody(
  trx: Transaction<Database>,
  channelId: string,
  sequence: number,
): Promise<StoredBody | undefined> {
  const row = await trx
    .selectFrom('queueBodies')
    .select(['body', 'decided', 'createdAt'])
    .where('channelId', '=', channelId)
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  return row && { ...row, body: await unpackBody(row.body) }
}

/** The open decisions of a channel in the order of their starts. */
export async function openDecisions(trx: Transaction<Database>, channelId: string): Promise<OpenDecision[]> {
  const { rows } = await sql<OpenDecision>`
    select request_id, currency, sequence, (extract(epoch from starts_at) * 1000)::bigint as starts_at_ms
    from decisions where channel_id = ${channelId} and aired_at is null and undone_at is null
    order by starts_at, request_id`.execute(trx)
  return rows
}

/** A decision that an event names. */
export interface NamedDecision {
  requestId: string
  sequence: number
  currency: Currency
  startsAtMs: number
}

/** Notes that the plan of this time is applied. Returns false if a newer one was. */
export async function beginPlan(
  trx: Transaction<Database>,
  channelId: string,
  plannedAt: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('channels')
    .set({ plannedAt })
    .where('id', '=', channelId)
    .where((eb) => eb.or([eb('plannedAt', 'is', null), eb('plannedAt', '<=', plannedAt)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Stores decisions of waiting requests, with queues that are known, or moves them. Returns how many were not open before.
 */
export async function openNamed(
  trx: Transaction<Database>,
  channelId: string,
  decisions: readonly NamedDecision[],
  decidedAt: Date,
): Promise<number> {
  const { rows } = await sql<{ isNew: boolean }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(decisions)}::json)
        as ("requestId" uuid, sequence bigint, currency text, "startsAtMs" bigint)
    ), open as (
      select request_id, sequence from decisions
      where channel_id = ${channelId} and aired_at is null and undone_at is null
    ), stored as (
      insert into decisions as known (request_id, channel_id, sequence, currency, starts_at, decided_at)
      select g."requestId", ${channelId}, g.sequence, g.currency, to_timestamp(g."startsAtMs" / 1000.0), ${decidedAt}
      from given g
      join requests r on r.id = g."requestId" and r.channel_id = ${channelId} and r.state = 'waiting'
      join queue_bodies q on q.channel_id = ${channelId} and q.sequence = g.sequence
      on conflict (request_id, sequence) do update set starts_at = excluded.starts_at, undone_at = null,
        decided_at = case when known.undone_at is null then known.decided_at else excluded.decided_at end
      where known.aired_at is null
      returning known.request_id, known.sequence
    )
    select not exists (select from open o where o.request_id = s.request_id and o.sequence = s.sequence) as is_new
    from stored s`.execute(trx)
  return rows.filter(({ isNew }) => isNew).length
}

/**
 * Ends the open decisions that are not among these and whose start is not between `from` and `to`, when they may have started
 * already. Returns their requests.
 */
export async function undoOthers(
  trx: Transaction<Database>,
  channelId: string,
  decisions: readonly NamedDecision[],
  { from, to }: { from: Date; to: Date },
): Promise<string[]> {
  const { rows } = await sql<{ requestId: string }>`
    update decisions d set undone_at = ${to}
    where d.channel_id = ${channelId} and d.aired_at is null and d.undone_at is null
      and not d.starts_at between ${from} and ${to}
      and not exists (
        select from json_to_recordset(${JSON.stringify(decisions)}::json) as g ("requestId" uuid, sequence bigint)
        where g."requestId" = d.request_id and g.sequence = d.sequence)
    returning request_id`.execute(trx)
  return rows.map(({ requestId }) => requestId)
}

/** Ends a decision, because it is on the air; it may not have been stored before. Other open decisions of the request are undone. */
export async function airDecision(
  trx: Transaction<Database>,
  channelId: string,
  { requestId, sequence, currency, startsAtMs }: NamedDecision,
): Promise<void> {
  const startsAt = new Date(startsAtMs)
  await sql`update decisions set undone_at = ${startsAt}
    where request_id = ${requestId} and sequence <> ${sequence} and aired_at is null and undone_at is null`.execute(
    trx,
  )
  await sql`
    insert into decisions (request_id, channel_id, sequence, currency, starts_at, decided_at, aired_at)
    values (${requestId}, ${channelId}, ${sequence}, ${currency}, ${startsAt}, ${startsAt}, ${startsAt})
    on conflict (request_id, sequence) do update set aired_at = excluded.aired_at, undone_at = null,
      starts_at = excluded.starts_at`.execute(trx)
}

/**
 * The decisions that a decision's queue took before it, in the order of their starts. Those that were undone before it was
 * taken are not among them; those that were undone later are, because the planner had counted them.
 */
export async function earlierOf(
  trx: Transaction<Database>,
  channelId: string,
  { requestId, sequence, startsAtMs }: NamedDecision,
): Promise<Decided[]> {
  const { rows } = await sql<Decided>`
    select d.request_id, d.currency, (extract(epoch from d.starts_at) * 1000)::bigint as starts_at_ms
    from decisions d
    left join decisions own on own.request_id = ${requestId} and own.sequence = ${sequence}
    where d.channel_id = ${channelId} and d.sequence = ${sequence} and d.request_id <> ${requestId}
      and d.starts_at < coalesce(own.starts_at, ${new Date(startsAtMs)})
      and (d.undone_at is null or d.undone_at > own.decided_at)
    order by d.starts_at, d.request_id`.execute(trx)
  return rows
}

/** When a decision was taken; undefined if only its start is known. */
export async function decidedAtOf(
  trx: Transaction<Database>,
  { requestId, sequence }: NamedDecision,
): Promise<Date | undefined> {
  const row = await trx
    .selectFrom('decisions')
    .select('decidedAt')
    .where('requestId', '=', requestId)
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  return row?.decidedAt
}

/** Whether one of these requests was decided and then undone, or an account with loads was deleted, since a queue was made. */
export async function hasExplanation(
  trx: Transaction<Database>,
  channelId: string,
  { decided, createdAt }: StoredBody,
): Promise<boolean> {
  const { rows } = await sql<{ isExplained: boolean }>`
    select exists (select from decisions where request_id = any(${decided}::uuid[]) and undone_at is not null)
      or exists (select from channels where id = ${channelId} and forgot_at >= ${createdAt}) as is_explained`.execute(
    trx,
  )
  return rows[0]?.isExplained ?? false
}

/** Deletes queues that were made before `before`, in batches, except those of open decisions that start later. */
export async function deleteBodiesBefore(db: Db<Database>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from queue_bodies where (channel_id, sequence) in (
      select q.channel_id, q.sequence from queue_bodies q
      where q.created_at < ${before} and not exists (
        select from decisions d where d.channel_id = q.channel_id and d.sequence = q.sequence
          and d.aired_at is null and d.undone_at is null and d.starts_at >= ${before})
      order by q.created_at limit ${limit})`.execute(db),
  )
}
