import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, PushDeliveriesTable, PushSubscriptionsTable } from '../../db/schema.ts'

export type SubscriptionRow = Selectable<PushSubscriptionsTable>

/** A user's subscriptions, oldest first; their number is limited. */
export const listSubscriptions = (db: Db<Database>, userId: string): Promise<SubscriptionRow[]> =>
  db.selectFrom('pushSubscriptions').selectAll().where('userId', '=', userId).orderBy('id').execute()

/** A page of a user's subscriptions after an id, and one row more if there is one. */
export const subscriptionsAfter = (
  db: Db<Database>,
  userId: string,
  afterId: string,
  limit: number,
): Promise<SubscriptionRow[]> =>
  db
    .selectFrom('pushSubscriptions')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit + 1)
    .execute()

/** The ids of the subscriptions of users, by user. */
export async function subscriptionIdsOf(
  db: Db<Database>,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('pushSubscriptions')
    .select(['id', 'userId'])
    .where('userId', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .execute()
  const byUser = Map.groupBy(rows, ({ userId }) => userId)
  return new Map([...byUser].map(([userId, subscriptions]) => [userId, subscriptions.map(({ id }) => id)]))
}

/**
 * Stores a subscription, or what has changed of the one of this browser. Its account is then this one; what is to be sent to
 * it of another account is deleted.
 */
export async function saveSubscription(
  trx: Transaction<Database>,
  subscription: Insertable<PushSubscriptionsTable>,
): Promise<SubscriptionRow> {
  const { userId, sessionId, endpoint, p256dh, auth, isDeclarative, deviceName } = subscription
  await trx
    .deleteFrom('pushSubscriptions')
    .where('endpoint', '=', endpoint)
    .where('userId', '!=', userId)
    .execute()
  const saved = await trx
    .insertInto('pushSubscriptions')
    .values(subscription)
    .onConflict((conflict) =>
      conflict.column('endpoint').doUpdateSet({ userId, sessionId, p256dh, auth, isDeclarative, deviceName }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return saved
}

/** Deletes a subscription of a user, with what is to be sent to it. */
export async function deleteSubscription(db: Db<Database>, userId: string, id: string): Promise<void> {
  await db.deleteFrom('pushSubscriptions').where('userId', '=', userId).where('id', '=', id).execute()
}

/** Deletes the subscriptions that were added in sessions, with what is to be sent to them. */
export async function deleteSubscriptionsOfSessions(
  db: Db<Database>,
  sessionIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('pushSubscriptions')
    .where('sessionId', '=', sql<string>`any(${[...sessionIds]}::uuid[])`)
    .execute()
}

/** Deletes a subscription that its push service no longer knows. */
export async function deleteDeadSubscription(db: Db<Database>, id: string): Promise<void> {
  await db.deleteFrom('pushSubscriptions').where('id', '=', id).execute()
}

/** Stores what is to be sent. */
export async function insertDeliveries(
  trx: Transaction<Database>,
  deliveries: readonly (Omit<Insertable<PushDeliveriesTable>, 'payload'> & { payload: object })[],
): Promise<void> {
  if (deliveries.length === 0) return
  const rows = deliveries.map((delivery) => ({ ...delivery, payload: JSON.stringify(delivery.payload) }))
  await trx.insertInto('pushDeliveries').values(rows).execute()
}

/** A push that is to be sent, with its subscription. */
export interface DuePush
  extends Pick<Selectable<PushDeliveriesTable>, 'id' | 'startId' | 'payload' | 'attempts' | 'expiresAt'>,
    Pick<SubscriptionRow, 'endpoint' | 'host' | 'p256dh' | 'auth' | 'isDeclarative'> {
  subscriptionId: string
}

/**
 * Takes pushes that are due: no other replica takes them before `until`. Not those to `busyHosts`, which answer slowly.
 * Counts the attempt.
 */
export async function takeDuePushes(
  db: Db<Database>,
  { now, until, busyHosts, limit }: { now: Date; until: Date; busyHosts: readonly string[]; limit: number },
): Promise<DuePush[]> {
  const { rows } = await sql<DuePush>`
    update push_deliveries d set next_attempt_at = ${until}, attempts = d.attempts + 1
    from push_subscriptions s
    where s.id = d.subscription_id and d.id = any(array(
      select waiting.id from push_deliveries waiting
      join push_subscriptions of on of.id = waiting.subscription_id
      where waiting.next_attempt_at <= ${now} and of.host <> all(${[...busyHosts]}::text[])
      order by waiting.next_attempt_at limit ${limit} for update of waiting skip locked))
    returning d.id, d.start_id, d.payload, d.attempts, d.expires_at,
      d.subscription_id, s.endpoint, s.host, s.p256dh, s.auth, s.is_declarative`.execute(db)
  return rows
}

/**
 * Ends a push. `usedAt`: its push service has accepted it. The subscription is locked first, as by its deletion, so that the
 * two do not block each other.
 */
export async function endDelivery(
  db: Db<Database>,
  { id, subscriptionId }: Pick<DuePush, 'id' | 'subscriptionId'>,
  usedAt: Date | null,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (usedAt !== null) {
      await trx
        .updateTable('pushSubscriptions')
        .set({ lastUsedAt: usedAt })
        .where('id', '=', subscriptionId)
        .execute()
    }
    await trx.deleteFrom('pushDeliveries').where('id', '=', id).execute()
  })
}

/** Sends a push again at a time. */
export async function postponeDelivery(db: Db<Database>, id: string, nextAttemptAt: Date): Promise<void> {
  await db.updateTable('pushDeliveries').set({ nextAttemptAt }).where('id', '=', id).execute()
}
