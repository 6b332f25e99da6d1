import type { RestrictionType } from '@looptide/contracts/common'
import type { Restriction } from '@looptide/contracts/http/users'
import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { Database } from '../../db/schema.ts'

export type RestrictionRow = Selectable<Database['userRestrictions']>

/** A restriction as its user and moderators see it. */
export const presentRestriction = (row: RestrictionRow): Restriction => ({
  id: row.id,
  userId: row.userId,
  restrictionType: row.restrictionType,
  reason: row.reason,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
})

/** Restrictions in force at `now`, newest first. At most three per user. */
export const activeOf = (
  db: Db<Database>,
  userIds: readonly string[],
  now: Date,
): Promise<RestrictionRow[]> =>
  userIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('userRestrictions')
        .selectAll()
        .where('userId', 'in', userIds)
        .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
        .orderBy('createdAt', 'desc')
        .execute()

/** All restrictions of a user, expired ones included. */
export const allOf = (db: Db<Database>, userId: string): Promise<RestrictionRow[]> =>
  db.selectFrom('userRestrictions').selectAll().where('userId', '=', userId).execute()

/** Stores a restriction. */
export const insert = async (db: Db<Database>, row: RestrictionRow): Promise<void> => {
  await db.insertInto('userRestrictions').values(row).execute()
}

/** The user's restriction of this type, expired ones included. There is at most one. */
export const ofType = (
  db: Db<Database>,
  userId: string,
  type: RestrictionType,
): Promise<RestrictionRow | undefined> =>
  db
    .selectFrom('userRestrictions')
    .selectAll()
    .where('userId', '=', userId)
    .where('restrictionType', '=', type)
    .executeTakeFirst()

/** The restriction with this id if it is the user's, expired ones included. */
export const byId = (db: Db<Database>, userId: string, id: string): Promise<RestrictionRow | undefined> =>
  db
    .selectFrom('userRestrictions')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()

/** False when the row did not exist. */
export const remove = async (db: Db<Database>, id: string): Promise<boolean> => {
  const row = await db.deleteFrom('userRestrictions').where('id', '=', id).returning('id').executeTakeFirst()
  return row !== undefined
}

/** Locks restrictions that have expired. Rows locked by other processes are skipped. */
export const lockExpired = (db: Db<Database>, now: Date, limit: number): Promise<RestrictionRow[]> =>
  db
    .selectFrom('userRestrictions')
    .selectAll()
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
