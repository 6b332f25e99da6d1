import type { Db } from '@looptide/service-kit/db/db'
import { type Selectable, sql } from 'kysely'
import type { Database, IdentitiesTable } from '../../db/schema.ts'

export type IdentityRow = Selectable<IdentitiesTable>

/** Undefined when the identity belongs to an account already, or the user has another one of this provider. */
export const insert = (db: Db<Database>, row: IdentityRow): Promise<IdentityRow | undefined> =>
  db
    .insertInto('identities')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

/** Issuer and subject together identify a person (OpenID Connect Core 1.0 §5.7). */
export const bySubject = (
  db: Db<Database>,
  issuer: string,
  subject: string,
): Promise<IdentityRow | undefined> =>
  db
    .selectFrom('identities')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

/** Oldest first. A user has one for each provider at most. */
export const listOf = async (db: Db<Database>, userId: string): Promise<IdentityRow[]> =>
  listOfAll(db, [userId])

/** The identities of several users, oldest first. */
export const listOfAll = (db: Db<Database>, userIds: readonly string[]): Promise<IdentityRow[]> =>
  db
    .selectFrom('identities')
    .selectAll()
    .where('userId', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Stores the time of a sign-in and the email that the provider named. */
export const recordUse = async (
  db: Db<Database>,
  id: string,
  use: Pick<IdentityRow, 'email' | 'lastSignInAt'>,
): Promise<void> => {
  await db.updateTable('identities').set(use).where('id', '=', id).execute()
}

/** Unlinks an identity. */
export const remove = async (db: Db<Database>, id: string): Promise<void> => {
  await db.deleteFrom('identities').where('id', '=', id).execute()
}
