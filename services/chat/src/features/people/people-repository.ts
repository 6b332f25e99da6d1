import type { RestrictionType } from '@looptide/contracts/common'
import { inBatches } from '@looptide/service-kit/batches'
import type { Db } from '@looptide/service-kit/db'
import { sql, type Transaction } from 'kysely'
import type { ChatDb, RestrictionsTable } from '../../db/schema.ts'
import type { Bucket } from '../messages/rate-rule.ts'

interface KnownProfile {
  userId: string
  handle: string | null
  artistName: string | null
  /** `aggregateVersion` of the event; 0 when it was asked for. */
  version: number
}

/** Takes auth's word on a person, unless a newer one was heard. */
export async function projectProfile(db: Db<ChatDb>, profile: KnownProfile): Promise<void> {
  await db
    .insertInto('profiles')
    .values(profile)
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ handle: profile.handle, artistName: profile.artistName, version: profile.version })
        .where('profiles.version', '<', sql<number>`excluded.version`),
    )
    .execute()
}

export async function isKnown(db: Db<ChatDb>, userId: string): Promise<boolean> {
  const row = await db.selectFrom('profiles').select('userId').where('userId', '=', userId).executeTakeFirst()
  return row !== undefined
}

/**
 * Somebody's name goes with the account, and what they were not allowed; the row stays so that an older event cannot
 * bring the name back.
 */
export async function forgetPerson(trx: Transaction<ChatDb>, userId: string, version: number): Promise<void> {
  await inBatches((limit) =>
    sql`delete from restrictions where id = any(array(
      select id from restrictions where user_id = ${userId}::uuid and not is_lifted limit ${limit}))`.execute(
      trx,
    ),
  )
  await projectProfile(trx, { userId, handle: null, artistName: null, version })
}

export async function addRestriction(
  trx: Transaction<ChatDb>,
  restriction: { id: string; userId: string; restrictionType: RestrictionType; expiresAt: Date | null },
): Promise<void> {
  await trx
    .insertInto('restrictions')
    .values({ ...restriction, isLifted: false })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** The row stays for a while, ended when it was lifted: the event that set it may be heard late. */
export async function liftRestriction(
  trx: Transaction<ChatDb>,
  restriction: { id: string; userId: string; restrictionType: RestrictionType; liftedAt: Date },
): Promise<void> {
  const { liftedAt: expiresAt, ...facts } = restriction
  await trx
    .insertInto('restrictions')
    .values({ ...facts, expiresAt, isLifted: true })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ expiresAt, isLifted: true }))
    .execute()
}

/** Deletes what was lifted before this, in batches. */
export async function deleteLiftedBefore(db: Db<ChatDb>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from restrictions where id = any(array(
      select id from restrictions where is_lifted and (expires_at is null or expires_at < ${before})
      limit ${limit}))`.execute(db),
  )
}

type InForce = Pick<RestrictionsTable, 'restrictionType' | 'expiresAt'>

/** Somebody's restrictions in force (by the database's clock): of each kind the one that lasts longest. */
export async function restrictionsOf(db: Db<ChatDb>, userId: string): Promise<InForce[]> {
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

/** What time it is, how fast somebody has been writing in a channel, and its slow mode; null without the channel. */
export async function paceOf(
  db: Db<ChatDb>,
  channelId: string,
  userId: string,
): Promise<{ now: Date; slowModeS: number; bucket: Bucket | null } | null> {
  const row = await db
    .selectFrom('channels as c')
    .leftJoin('chatters as w', (join) => join.onRef('w.channelId', '=', 'c.id').on('w.userId', '=', userId))
    .select(['c.slowModeS', 'w.tokens', 'w.postedAt', sql<Date>`now()`.as('now')])
    .where('c.id', '=', channelId)
    .where('c.isDeleted', '=', false)
    .executeTakeFirst()
  if (row === undefined) return null
  const { now, slowModeS, tokens, postedAt } = row
  const bucket = tokens === null || postedAt === null ? null : { tokens, postedAtMs: postedAt.getTime() }
  return { now, slowModeS, bucket }
}
