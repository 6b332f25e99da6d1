import type { RestrictionType } from '@looptide/contracts/common'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database, RestrictionsTable } from '../../db/schema.ts'
import type { Bucket } from '../messages/rate-limit.ts'

interface ProfileProjection {
  userId: string
  handle: string | null
  artistName: string | null
  /** When the account was created; null if the event does not say. */
  registeredAt: Date | null
  /** `aggregateVersion` of the event; 0 for a profile fetched from auth. */
  version: number
}

/**
 * Applies a user's profile unless a newer version has been applied. Of two times of registration the earlier one is kept: the
 * first is a guess if the event came later.
 */
export async function projectProfile(db: Db<Database>, profile: ProfileProjection): Promise<void> {
  const { userId, handle, artistName, registeredAt, version } = profile
  await sql`
    insert into profiles as known (user_id, handle, artist_name, registered_at, version)
    values (${userId}, ${handle}, ${artistName}, ${registeredAt}, ${version})
    on conflict (user_id) do update set
      handle = case when known.version < excluded.version then excluded.handle else known.handle end,
      artist_name = case when known.version < excluded.version then excluded.artist_name else known.artist_name end,
      registered_at = least(known.registered_at, excluded.registered_at),
      version = greatest(known.version, excluded.version)`.execute(db)
}

/** Whether the copy of a user's profile has arrived from auth. */
export async function hasProfile(db: Db<Database>, userId: string): Promise<boolean> {
  const row = await db.selectFrom('profiles').select('userId').where('userId', '=', userId).executeTakeFirst()
  return row !== undefined
}

/**
 * Deletes the names and restrictions of a user whose account was deleted. The profile row is kept without names, so
 * that an older event cannot restore them.
 */
export async function deleteUserData(
  trx: Transaction<Database>,
  userId: string,
  version: number,
): Promise<void> {
  await inBatches((limit) =>
    sql`delete from restrictions where id = any(array(
      select id from restrictions where user_id = ${userId}::uuid and not is_lifted limit ${limit}))`.execute(
      trx,
    ),
  )
  await projectProfile(trx, { userId, handle: null, artistName: null, registeredAt: null, version })
}

/** Stores a restriction, unless it was lifted by an event that arrived earlier. */
export async function addRestriction(
  trx: Transaction<Database>,
  restriction: { id: string; userId: string; restrictionType: RestrictionType; expiresAt: Date | null },
): Promise<void> {
  await trx
    .insertInto('restrictions')
    .values({ ...restriction, isLifted: false })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Ends a restriction at `liftedAt`. The row is kept for 8 days, since the event that set it may arrive later. */
export async function liftRestriction(
  trx: Transaction<Database>,
  restriction: { id: string; userId: string; restrictionType: RestrictionType; liftedAt: Date },
): Promise<void> {
  const { liftedAt: expiresAt, ...columns } = restriction
  await trx
    .insertInto('restrictions')
    .values({ ...columns, expiresAt, isLifted: true })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ expiresAt, isLifted: true }))
    .execute()
}

/** Deletes the restrictions lifted before this instant, in batches. */
export async function deleteLiftedRestrictions(db: Db<Database>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from restrictions where id = any(array(
      select id from restrictions where is_lifted and (expires_at is null or expires_at < ${before})
      limit ${limit}))`.execute(db),
  )
}

type ActiveRestriction = Pick<RestrictionsTable, 'restrictionType' | 'expiresAt'>

/** A user's restrictions in force by the database's clock; of each type the one that lasts longest. */
export async function findActiveRestrictions(db: Db<Database>, userId: string): Promise<ActiveRestriction[]> {
  return db
    .selectFrom('restrictions')
    .distinctOn('restrictionType')
    .select(['restrictionType', 'expiresAt'])
    .where('userId', '=', userId)
    .where('isLifted', '=', false)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', sql<Date>`now()`)]))
    .orderBy('restrictionType')
    .orderBy('expiresAt', (order) => order.desc().nullsFirst())
    .execute()
}

/** The database's time, the channel's slow mode, the user's bucket and whether they are new to slow mode; null for an unknown channel. */
export async function findRateState(
  db: Db<Database>,
  channelId: string,
  userId: string,
): Promise<{ now: Date; slowModeS: number; bucket: Bucket | null; isEstablished: boolean } | null> {
  const row = await db
    .selectFrom('channels as c')
    .leftJoin('chatters as w', (join) => join.onRef('w.channelId', '=', 'c.id').on('w.userId', '=', userId))
    .leftJoin('profiles as p', (join) => join.on('p.userId', '=', userId))
    .select(['c.slowModeS', 'w.tokens', 'w.postedAt', 'p.isEstablished', sql<Date>`now()`.as('now')])
    .where('c.id', '=', channelId)
    .where('c.isDeleted', '=', false)
    .executeTakeFirst()
  if (row === undefined) return null
  const { now, slowModeS, tokens, postedAt, isEstablished } = row
  const bucket = tokens === null || postedAt === null ? null : { tokens, postedAtMs: postedAt.getTime() }
  return { now, slowModeS, bucket, isEstablished: isEstablished ?? false }
}
