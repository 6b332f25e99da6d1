import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database, FactorsTable, SecurityKeysTable } from '../../db/schema.ts'

export type FactorRow = Selectable<FactorsTable>
export type ChallengeRow = Selectable<Database['factorChallenges']>

export const factorRepository = {
  /** All factors of a user, the oldest first. There are at most a few (`MAX_FACTORS`). */
  listOf: (db: Db<Database>, userId: string): Promise<FactorRow[]> =>
    db.selectFrom('factors').selectAll().where('userId', '=', userId).orderBy('id').execute(),

  hasVerified: async (db: Db<Database>, userId: string): Promise<boolean> => {
    const row = await db
      .selectFrom('factors')
      .select('id')
      .where('userId', '=', userId)
      .where('status', '=', 'verified')
      .executeTakeFirst()
    return row !== undefined
  },

  insert: async (db: Db<Database>, row: Insertable<FactorsTable>): Promise<void> => {
    await db.insertInto('factors').values(row).execute()
  },

  update: async (db: Db<Database>, id: string, change: Updateable<FactorsTable>): Promise<void> => {
    await db.updateTable('factors').set(change).where('id', '=', id).execute()
  },

  delete: async (db: Db<Database>, userId: string, ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return
    await db.deleteFrom('factors').where('userId', '=', userId).where('id', 'in', ids).execute()
  },

  /** Deletes a user's factors that were not verified: all, or those enrolled before `before`. */
  deleteUnverified: async (db: Db<Database>, userId: string, before?: Date): Promise<void> => {
    const unverified = db
      .deleteFrom('factors')
      .where('userId', '=', userId)
      .where('status', '=', 'unverified')
    await (before === undefined ? unverified : unverified.where('createdAt', '<', before)).execute()
  },

  /** Adds a challenge and deletes all but the newest `keep` of the factor. */
  addChallenge: async (db: Db<Database>, challenge: ChallengeRow, keep: number): Promise<void> => {
    await db.insertInto('factorChallenges').values(challenge).execute()
    const older = db
      .selectFrom('factorChallenges')
      .select('id')
      .where('factorId', '=', challenge.factorId)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .offset(keep)
    await db.deleteFrom('factorChallenges').where('id', 'in', older).execute()
  },

  findChallenge: (db: Db<Database>, id: string, factorId: string): Promise<ChallengeRow | undefined> =>
    db
      .selectFrom('factorChallenges')
      .selectAll()
      .where('id', '=', id)
      .where('factorId', '=', factorId)
      .executeTakeFirst(),

  deleteChallenge: async (db: Db<Database>, id: string): Promise<void> => {
    await db.deleteFrom('factorChallenges').where('id', '=', id).execute()
  },

  /** The next factors with a secret after the id `after`, for encrypting them again. */
  sealedAfter: (db: Db<Database>, after: string, limit: number) =>
    db
      .selectFrom('factors')
      .select(['id', sql<Buffer>`sealed_secret`.as('sealedSecret')])
      .where('sealedSecret', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
}

export const recoveryCodeRepository = {
  /** Replaces the codes of a factor. */
  replace: async (db: Db<Database>, factorId: string, digests: readonly Buffer[]): Promise<void> => {
    await db.deleteFrom('recoveryCodes').where('factorId', '=', factorId).execute()
    const rows = digests.map((codeDigest) => ({ factorId, codeDigest, usedAt: null }))
    await db.insertInto('recoveryCodes').values(rows).execute()
  },

  count: async (db: Db<Database>, factorId: string): Promise<{ total: number; remaining: number }> => {
    const codes = await db
      .selectFrom('recoveryCodes')
      .select('usedAt')
      .where('factorId', '=', factorId)
      .execute()
    return { total: codes.length, remaining: codes.filter(({ usedAt }) => usedAt === null).length }
  },

  /** Marks an unused code as used. False when there is none with this digest. */
  use: async (db: Db<Database>, factorId: string, codeDigest: Buffer, usedAt: Date): Promise<boolean> => {
    const used = await db
      .updateTable('recoveryCodes')
      .set({ usedAt })
      .where('factorId', '=', factorId)
      .where('codeDigest', '=', codeDigest)
      .where('usedAt', 'is', null)
      .returning('factorId')
      .executeTakeFirst()
    return used !== undefined
  },
}

type SecurityKeyRow = Selectable<SecurityKeysTable>

export const securityKeyRepository = {
  /** Whether the key was added; false when the credential is registered already, by anyone. */
  insert: async (db: Db<Database>, row: SecurityKeyRow): Promise<boolean> => {
    const added = await db
      .insertInto('securityKeys')
      .values(row)
      .onConflict((conflict) => conflict.column('credentialId').doNothing())
      .returning('factorId')
      .executeTakeFirst()
    return added !== undefined
  },

  byFactor: (db: Db<Database>, factorId: string): Promise<SecurityKeyRow | undefined> =>
    db.selectFrom('securityKeys').selectAll().where('factorId', '=', factorId).executeTakeFirst(),

  setCounter: async (db: Db<Database>, factorId: string, counter: number): Promise<void> => {
    await db.updateTable('securityKeys').set({ counter }).where('factorId', '=', factorId).execute()
  },
}
