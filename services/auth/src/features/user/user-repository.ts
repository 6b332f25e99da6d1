import type { Db } from '@looptide/service-kit/db/db'
import { deleteUserRows } from '@looptide/service-kit/db/tables'
import { type Insertable, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Database, UsersTable } from '../../db/schema.ts'
import { tables } from '../../db/tables.ts'

export type UserRow = Selectable<UsersTable>

/** The account with this email (in lower case), confirmed or not. */
export const byEmail = (db: Db<Database>, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

/** An account, anonymous users included. */
export const byId = (db: Db<Database>, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks the row until the transaction ends. */
export const lockById = (db: Db<Database>, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Locks these users one after another, in the order of their ids, which prevents deadlocks. One statement. */
export const lockByIds = (db: Db<Database>, ids: readonly string[]): Promise<UserRow[]> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()

/** As {@link byEmail}, locked until the transaction ends. */
export const lockByEmail = (db: Db<Database>, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).forUpdate().executeTakeFirst()

/** Undefined when the email is registered already. */
export const insert = (db: Db<Database>, row: Insertable<UsersTable>): Promise<UserRow | undefined> =>
  db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()

/** Changes an account, which must exist. */
export const update = (db: Db<Database>, id: string, change: Updateable<UsersTable>): Promise<UserRow> =>
  db.updateTable('users').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/**
 * Deletes accounts with all their data. Tables with many rows per account are emptied first, in batches, because the
 * cascade would delete all rows in one statement.
 */
export const remove = async (trx: Transaction<Database>, ids: readonly string[]): Promise<void> => {
  await deleteUserRows(trx, tables, ids, {})
  await trx
    .deleteFrom('users')
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}

/**
 * Locks unconfirmed accounts whose last confirmation request was before `before`. Rows locked by other processes are
 * skipped.
 */
export const lockUnconfirmed = (
  db: Db<Database>,
  before: Date,
  limit: number,
): Promise<Pick<UserRow, 'id' | 'email'>[]> => {
  const requestedAt = sql<Date>`greatest(created_at, confirmation_sent_at)`
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('emailConfirmedAt', 'is', null)
    .where('email', 'is not', null)
    .where(requestedAt, '<', before)
    .orderBy(requestedAt)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

/** Does nothing for a user who has an email by now. */
export const recordAnonymousUse = async (db: Db<Database>, id: string, now: Date): Promise<void> => {
  await db
    .updateTable('users')
    .set({ anonymousSeenAt: now })
    .where('id', '=', id)
    .where('email', 'is', null)
    .execute()
}

/** Locks anonymous users who were last seen before `before`. Rows locked by other processes are skipped. */
export const lockUnusedAnonymous = (
  db: Db<Database>,
  before: Date,
  limit: number,
): Promise<Pick<UserRow, 'id' | 'email'>[]> =>
  db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', 'is', null)
    .where('anonymousSeenAt', '<', before)
    .orderBy('anonymousSeenAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

/** Whether this user is banned from the site at `now`. */
export const isBanned = async (db: Db<Database>, userId: string, now: Date): Promise<boolean> => {
  const row = await db
    .selectFrom('userRestrictions')
    .select('id')
    .where('userId', '=', userId)
    .where('restrictionType', '=', 'site_banned')
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .executeTakeFirst()
  return row !== undefined
}
