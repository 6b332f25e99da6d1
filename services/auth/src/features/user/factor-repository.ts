import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database, FactorsTable, SecurityKeysTable } from '../../db/schema.ts'

export type FactorRow = Selectable<FactorsTable>
export type ChallengeRow = Selectable<Database['factorChallenges']>

/** All factors of a user, the oldest first. There are at most a few (`MAX_FACTORS`). */
export const listOf = (db: Db<Database>, userId: string): Promise<FactorRow[]> =>
  db.selectFrom('factors').selectAll().where('userId', '=', userId).orderBy('id').execute()

/** Whether the user has a second factor. */
export const hasVerified = async (db: Db<Database>, userId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('factors')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '=', 'verified')
    .executeTakeFirst()
  return row !== undefined
}

/** Stores a factor. */
export const insert = async (db: Db<Database>, row: Insertable<FactorsTable>): Promise<void> => {
  await db.insertInto('factors').values(row).execute()
}

/** Changes a factor; nothing happens if it was deleted. */
export const update = async (
  db: Db<Database>,
  id: string,
  change: Updateable<FactorsTable>,
): Promise<void> => {
  await db.updateTable('factors').set(change).where('id', '=', id).execute()
}

/** Deletes those of these factors that are the user's. */
export const remove = async (db: Db<Database>, userId: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await db.deleteFrom('factors').where('userId', '=', userId).where('id', 'in', ids).execute()
}

/** Deletes a user's factors that were not verified: all, or those enrolled before `before`. */
export const deleteUnverified = async (db: Db<Database>, userId: string, before?: Date): Promise<void> => {
  const unverified = db.deleteFrom('factors').where('userId', '=', userId).where('status', '=', 'unverified')
  await (before === undefined ? unverified : unverified.where('createdAt', '<', before)).execute()
}

/** Adds a challenge and deletes all but the newest `keep` of the factor. */
export const addChallenge = async (
  db: Db<Database>,
  challenge: ChallengeRow,
  keep: number,
): Promise<void> => {
  await db.insertInto('factorChallenges').values(challenge).execute()
  const older = db
    .selectFrom('factorChallenges')
    .select('id')
    .where('factorId', '=', challenge.factorId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .offset(keep)
  await db.deleteFrom('factorChallenges').where('id', 'in', older).execute()
}

/** The challenge with this id if it is the factor's, expired ones included. */
export const findChallenge = (
  db: Db<Database>,
  id: string,
  factorId: string,
): Promise<ChallengeRow | undefined> =>
  db
    .selectFrom('factorChallenges')
    .selectAll()
    .where('id', '=', id)
    .where('factorId', '=', factorId)
    .executeTakeFirst()

/** Deletes a challenge, which then counts no second time. */
export const deleteChallenge = async (db: Db<Database>, id: string): Promise<void> => {
  await db.deleteFrom('factorChallenges').where('id', '=', id).execute()
}

/** The next factors with a secret after the id `after`, for encrypting them again. */
export const sealedAfter = (db: Db<Database>, after: string, limit: number) =>
  db
    .selectFrom('factors')
    .select(['id', sql<Buffer>`sealed_secret`.as('sealedSecret')])
    .where('sealedSecret', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

type SecurityKeyRow = Selectable<SecurityKeysTable>

/** Whether the key was added; false when the credential is registered already, by anyone. */
export const addKey = async (db: Db<Database>, row: SecurityKeyRow): Promise<boolean> => {
  const added = await db
    .insertInto('securityKeys')
    .values(row)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning('factorId')
    .executeTakeFirst()
  return added !== undefined
}

/** The credential of a factor; undefined for other kinds of factors. */
export const keyOf = (db: Db<Database>, factorId: string): Promise<SecurityKeyRow | undefined> =>
  db.selectFrom('securityKeys').selectAll().where('factorId', '=', factorId).executeTakeFirst()

/** Stores the authenticator's counter. */
export const setKeyCounter = async (db: Db<Database>, factorId: string, counter: number): Promise<void> => {
  await db.updateTable('securityKeys').set({ counter }).where('factorId', '=', factorId).execute()
}
