import {
  KEPT_DELIVERIES,
  MAX_WAITING_DELIVERIES,
  type WebhookFormat,
} from '@looptide/contracts/http/webhooks'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, WebhookDeliveriesTable } from '../../db/schema.ts'

export type DeliveryRow = Selectable<WebhookDeliveriesTable>
type NewDelivery = Pick<
  Insertable<WebhookDeliveriesTable>,
  'id' | 'webhookId' | 'eventId' | 'kind' | 'channelId' | 'lane'
> & { payload: object; createdAt: Date }

/** A delivery that is due, with what its webhook says about it. */
export interface DueDelivery {
  id: string
  webhookId: string
  eventId: string
  kind: DeliveryRow['kind']
  lane: string
  payload: DeliveryRow['payload']
  attempts: number
  url: string
  format: WebhookFormat
  secret: string
  signingKey: string
  previousSecret: string | null
  previousSigningKey: string | null
  previousUntil: Date | null
}

/** Stores deliveries, which are due at once. */
export async function insertDeliveries(
  trx: Transaction<Database>,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  const rows = deliveries.map((row) => ({
    ...row,
    payload: JSON.stringify(row.payload),
    nextAttemptAt: row.createdAt,
  }))
  await trx.insertInto('webhookDeliveries').values(rows).execute()
}

/** A delivery of a webhook; undefined if there is none. */
export const findDelivery = (
  db: Db<Database>,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | undefined> =>
  db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('id', '=', id)
    .where('webhookId', '=', webhookId)
    .executeTakeFirst()

/** The last deliveries of a webhook, newest first, without events that wait for others before them. */
export const listDeliveries = (db: Db<Database>, webhookId: string): Promise<DeliveryRow[]> =>
  db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('webhookId', '=', webhookId)
    .where((eb) => eb.or([eb('state', '<>', 'waiting'), eb('attempts', '>', 0), eb('kind', '<>', 'event')]))
    .orderBy('seq', 'desc')
    .limit(KEPT_DELIVERIES)
    .execute()

/** The number of waiting deliveries of one kind, counted up to `limit`. */
export async function countWaiting(
  db: Db<Database>,
  webhookId: string,
  kinds: readonly DeliveryRow['kind'][],
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select 1 from webhook_deliveries
      where webhook_id = ${webhookId} and state = 'waiting' and kind = any(${[...kinds]})
      order by webhook_id, lane, seq limit ${limit}
    ) waiting`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * The deliveries that are due: of each lane of a webhook only the first one that waits, so that the others cannot
 * overtake it. The lanes are found by skipping through the index, so the number of waiting rows does not matter.
 */
export async function findDue(db: Db<Database>, now: Date): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with recursive lanes as (
      (select webhook_id, lane from webhook_deliveries where state = 'waiting'
       order by webhook_id, lane limit 1)
      union all
      select next.webhook_id, next.lane from lanes cross join lateral (
        select d.webhook_id, d.lane from webhook_deliveries d
        where d.state = 'waiting' and (d.webhook_id, d.lane) > (lanes.webhook_id, lanes.lane)
        order by d.webhook_id, d.lane limit 1
      ) next
    )
    select first.id, first.webhook_id, first.event_id, first.kind, first.lane, first.payload, first.attempts,
           w.url, w.format, w.secret, w.signing_key, w.previous_secret, w.previous_signing_key, w.previous_until
    from lanes cross join lateral (
      select * from webhook_deliveries d
      where d.state = 'waiting' and d.webhook_id = lanes.webhook_id and d.lane = lanes.lane
      order by d.seq limit 1
    ) first
    join webhooks w on w.id = first.webhook_id
    where first.next_attempt_at <= ${now}
    order by first.seq`.execute(db)
  return rows
}

export interface AttemptRecord {
  state: DeliveryRow['state']
  nextAttemptAt: Date
  attemptedAt: Date
  durationMs: number
  status: number | null
  response: string | null
  error: string | null
}

/** Stores the result of an attempt. False if the delivery is gone or was dropped meanwhile. */
export async function recordAttempt(
  trx: Transaction<Database>,
  id: string,
  attempt: AttemptRecord,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhookDeliveries')
    .set((eb) => ({ ...attempt, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Makes a waiting delivery due at once. */
export async function makeDue(trx: Transaction<Database>, id: string, now: Date): Promise<void> {
  await trx
    .updateTable('webhookDeliveries')
    .set({ nextAttemptAt: now })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** Ends the waiting events of a webhook that is off, in batches. */
export async function dropWaiting(trx: Transaction<Database>, webhookId: string): Promise<void> {
  await inBatches((limit) =>
    sql`update webhook_deliveries set state = 'failed', error = coalesce(error, 'The webhook was switched off.')
      where id = any(array(select id from webhook_deliveries
        where webhook_id = ${webhookId} and state = 'waiting' and kind = 'event' limit ${limit}))`.execute(
      trx,
    ),
  )
}

/** Deletes what does not wait and is older than a time, or than the last {@link KEPT_DELIVERIES} of a webhook. */
export async function pruneDeliveries(db: Db<Database>, webhookId: string, olderThan: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from webhook_deliveries where id = any(array(
      select id from webhook_deliveries
      where webhook_id = ${webhookId} and state <> 'waiting' and (created_at < ${olderThan} or seq < (
        select min(seq) from (
          select seq from webhook_deliveries where webhook_id = ${webhookId} and state <> 'waiting'
          order by seq desc limit ${KEPT_DELIVERIES}
        ) kept))
      limit ${limit}))`.execute(db),
  )
}

/** Whether more deliveries of a webhook wait than may. */
export const isBacklogFull = async (db: Db<Database>, webhookId: string): Promise<boolean> =>
  (await countWaiting(db, webhookId, ['event'], MAX_WAITING_DELIVERIES + 1)) > MAX_WAITING_DELIVERIES
