import type { Db } from '@looptide/service-kit/db/db'
import { type Selectable, sql } from 'kysely'
import type { Database, IdentitiesTable } from '../../db/schema.ts'

export type IdentityRow = Selectable<IdentitiesTable>

export const identityRepository = {
  /** Undefined when the identity belongs to an account already, or the user has another one of this provider. */
  insert: (db: Db<Database>, row: IdentityRow): Promise<IdentityRow | undefined> =>
    db
      .insertInto('identities')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst(),

  /** Issuer and subject together identify a person (OpenID Connect Core 1.0 §5.7). */
  bySubject: (db: Db<Database>, issuer: string, subject: string): Promise<IdentityRow | undefined> =>
    db
      .selectFrom('identities')
      .selectAll()
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst(),

  /** Oldest first. A user has one for each provider at most. */
  listOf: async (db: Db<Database>, userId: string): Promise<IdentityRow[]> =>
    identityRepository.listOfAll(db, [userId]),

  /** The identities of several users, oldest first. */
  listOfAll: (db: Db<Database>, userIds: readonly string[]): Promise<IdentityRow[]> =>
    db
      .selectFrom('identities')
      .selectAll()
      .where('userId', '=', sql<string>`any(${[...userIds]}::uuid[])`)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),

  recordUse: async (
    db: Db<Database>,
    id: string,
    use: Pick<IdentityRow, 'email' | 'lastSignInAt'>,
  ): Promise<void> => {
    await db.updateTable('identities').set(use).where('id', '=', id).execute()
  },

  delete: async (db: Db<Database>, id: string): Promise<void> => {
    await db.deleteFrom('identities').where('id', '=', id).execute()
  },
}
