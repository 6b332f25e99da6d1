import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { Decision } from './decision.ts'
import { packBody, type QueueBody, unpackBody } from './queue-body.ts'

export interface StoredDecision extends Decision {
  isAired: boolean
}

/** Stores the queue of a sequence with its accounts. */
export async function insertBody(
  trx: Transaction<Database>,
  { channelId, sequence }: { channelId: string; sequence: number },
  body: QueueBody,
): Promise<void> {
  await trx
    .insertInto('queueBodies')
    .values({ channelId, sequence, body: await packBody(body), createdAt: new Date(body.nowMs) })
    .execute()
}

/** The queue of a sequence; undefined if there was none, or if it is too old. */
export async function findBody(
  trx: Transaction<Database>,
  channelId: string,
  sequence: number,
): Promise<QueueBody | undefined> {
  const row = await trx
    .selectFrom('queueBodies')
    .select('body')
    .where('channelId', '=', channelId)
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  return row && unpackBody(row.body)
}

/** The decisions of a channel with stored queues, in the order of their starts. */
export async function listDecisions(
  trx: Transaction<Database>,
  channelId: string,
): Promise<StoredDecision[]> {
  const { rows } = await sql<StoredDecision>`
    select d.request_id, d.sequence, d.currency, d.earlier, r.state = 'aired' as is_aired,
      (extract(epoch from d.starts_at) * 1000)::bigint as starts_at_ms,
      (extract(epoch from d.decided_at) * 1000)::bigint as decided_at_ms
    from decisions d join requests r on r.id = d.request_id
    where d.channel_id = ${channelId}
    order by d.starts_at, d.request_id`.execute(trx)
  return rows
}

/**
 * Stores decisions of requests that have not been aired and whose queue is known, in place of earlier ones of the same
 * requests. Returns the requests.
 */
export async function saveDecisions(
  trx: Transaction<Database>,
  channelId: string,
  decisions: readonly Decision[],
): Promise<string[]> {
  const { rows } = await sql<{ requestId: string }>`
    insert into decisions (request_id, channel_id, sequence, currency, starts_at, decided_at, earlier)
    select g."requestId", ${channelId}, g.sequence, g.currency, to_timestamp(g."startsAtMs" / 1000.0),
      to_timestamp(g."decidedAtMs" / 1000.0), g.earlier
    from json_to_recordset(${JSON.stringify(decisions)}::json) as g ("requestId" uuid, sequence bigint,
      currency text, "startsAtMs" bigint, "decidedAtMs" bigint, earlier jsonb)
    join requests r on r.id = g."requestId" and r.channel_id = ${channelId} and r.state <> 'aired'
    join queue_bodies q on q.channel_id = ${channelId} and q.sequence = g.sequence
    on conflict (request_id) do update set sequence = excluded.sequence, currency = excluded.currency,
      starts_at = excluded.starts_at, decided_at = excluded.decided_at, earlier = excluded.earlier
    returning request_id`.execute(trx)
  return rows.map(({ requestId }) => requestId)
}

/** Deletes the decisions of these requests. */
export async function deleteDecisions(
  trx: Transaction<Database>,
  requestIds: readonly string[],
): Promise<void> {
  await sql`delete from decisions where request_id = any(${[...requestIds]}::uuid[])`.execute(trx)
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

/** Deletes queues that were made before `before`, with their decisions, in batches, except those with a decision that starts later. */
export async function deleteBodiesBefore(db: Db<Database>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from queue_bodies where (channel_id, sequence) in (
      select q.channel_id, q.sequence from queue_bodies q
      where q.created_at < ${before} and not exists (
        select from decisions d
        where d.channel_id = q.channel_id and d.sequence = q.sequence and d.starts_at >= ${before})
      order by q.created_at limit ${limit})`.execute(db),
  )
}
