import type { OutdatedSession } from '@looptide/contracts/http/users'
import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { Database, PersonalTokensTable } from '../../db/schema.ts'

export type PersonalTokenRow = Selectable<PersonalTokensTable>

/** Stores a token by its digest. */
export const insert = async (db: Db<Database>, row: PersonalTokenRow): Promise<void> => {
  await db.insertInto('personalTokens').values(row).execute()
}

/** Newest first. The number per user is limited. */
export const listOf = (db: Db<Database>, userId: string): Promise<PersonalTokenRow[]> =>
  db
    .selectFrom('personalTokens')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** The token with this digest that has not expired at `now`. */
export const valid = (db: Db<Database>, digest: Buffer, now: Date): Promise<PersonalTokenRow | undefined> =>
  db
    .selectFrom('personalTokens')
    .selectAll()
    .where('tokenDigest', '=', digest)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** Stores the time of use, unless a time since `unlessSince` is stored. */
export const recordUse = async (db: Db<Database>, id: string, at: Date, unlessSince: Date): Promise<void> => {
  await db
    .updateTable('personalTokens')
    .set({ lastUsedAt: at })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', unlessSince)]))
    .execute()
}

/** Undefined when the user has no such token. */
export const remove = (db: Db<Database>, userId: string, id: string): Promise<PersonalTokenRow | undefined> =>
  db
    .deleteFrom('personalTokens')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()

/** Deletes all tokens of a user, and returns them. */
export const deleteAll = (db: Db<Database>, userId: string): Promise<PersonalTokenRow[]> =>
  db.deleteFrom('personalTokens').where('userId', '=', userId).returningAll().execute()

/** Deletes the tokens that these sessions created, and those from before their session was stored. */
export const deleteCreatedBy = (
  db: Db<Database>,
  userId: string,
  sessionIds: readonly string[],
): Promise<PersonalTokenRow[]> =>
  db
    .deleteFrom('personalTokens')
    .where('userId', '=', userId)
    .where((eb) => eb.or([eb('sessionId', 'in', sessionIds), eb('sessionId', 'is', null)]))
    .returningAll()
    .execute()

/** Outdates the access tokens that act for the user's tokens. Returns their ids and new generations. */
export const outdateAll = async (db: Db<Database>, userId: string): Promise<OutdatedSession[]> => {
  const rows = await db
    .updateTable('personalTokens')
    .set((eb) => ({ generation: eb('generation', '+', 1) }))
    .where('userId', '=', userId)
    .returning(['id', 'generation'])
    .execute()
  return rows.map(({ id, generation }) => ({ id, minGeneration: generation }))
}
