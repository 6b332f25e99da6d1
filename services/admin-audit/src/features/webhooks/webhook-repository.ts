import type { WebhookFailure } from '@looptide/contracts/http/webhooks'
import type { WebhookEventType, WebhookPayload } from '@looptide/contracts/webhook-events'
import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Database, WebhooksTable } from '../../db/schema.ts'

export type WebhookRow = Selectable<WebhooksTable>

/** All webhooks, oldest first. */
export const listWebhooks = (db: Db<Database>): Promise<WebhookRow[]> =>
  db.selectFrom('webhooks').selectAll().orderBy('createdAt').orderBy('id').execute()

/** A webhook; undefined if there is none with this id. */
export const findWebhook = (db: Db<Database>, id: string): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()

/** A webhook, which nobody else changes until the end of the transaction. */
export const lockWebhook = (trx: Transaction<Database>, id: string): Promise<WebhookRow | undefined> =>
  trx.selectFrom('webhooks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** The number of webhooks, which stays the same until the end of the transaction. */
export async function countWebhooks(trx: Transaction<Database>): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('webhooks'))`.execute(trx)
  const { count } = await trx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Stores a webhook. */
export async function insertWebhook(
  trx: Transaction<Database>,
  row: Insertable<WebhooksTable>,
): Promise<WebhookRow> {
  return trx.insertInto('webhooks').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Changes columns of a webhook and returns the row. */
export async function updateWebhook(
  trx: Transaction<Database>,
  id: string,
  changes: Updateable<WebhooksTable>,
): Promise<WebhookRow> {
  return trx
    .updateTable('webhooks')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a webhook with its deliveries. */
export async function deleteWebhook(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** Switches a webhook off because of its receiver. False if it is off. */
export async function disableWebhook(
  trx: Transaction<Database>,
  id: string,
  reason: WebhookFailure,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhooks')
    .set({ isActive: false, disabledReason: reason, disabledAt: at })
    .where('id', '=', id)
    .where('isActive', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores since when deliveries fail; null: the last one arrived. */
export async function setFailingSince(
  trx: Transaction<Database>,
  id: string,
  since: Date | null,
): Promise<void> {
  const failingSince = since === null ? null : sql<Date>`coalesce(failing_since, ${since})`
  await trx
    .updateTable('webhooks')
    .set({ failingSince })
    .where('id', '=', id)
    .where('failingSince', since === null ? 'is not' : 'is', null)
    .execute()
}

/**
 * The webhooks that want an event, locked against being switched off or deleted until its deliveries are stored. None
 * gets events from before its creation, which a new consumer or a replayed dead letter can contain.
 */
export async function findReceivers(
  trx: Transaction<Database>,
  event: { type: WebhookEventType | WebhookPayload['type']; channelId: string | null; occurredAt: Date },
): Promise<string[]> {
  const rows = await trx
    .selectFrom('webhooks')
    .select('id')
    .where('isActive', '=', true)
    .where(sql<boolean>`${event.type} = any(events)`)
    .where(sql<boolean>`(channel_ids is null or ${event.channelId}::text is null
      or ${event.channelId} = any(channel_ids))`)
    .where('createdAt', '<=', event.occurredAt)
    .orderBy('id')
    .forShare()
    .execute()
  return rows.map(({ id }) => id)
}
