import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { Database, PasskeysTable } from '../../../db/schema.ts'

export type PasskeyRow = Selectable<PasskeysTable>

/** Undefined when the credential is registered already, by anyone. */
export const insert = (db: Db<Database>, row: PasskeyRow): Promise<PasskeyRow | undefined> =>
  db
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returningAll()
    .executeTakeFirst()

/** Oldest first. The number per user is limited. */
export const listOf = (db: Db<Database>, userId: string): Promise<PasskeyRow[]> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** The passkey with this id of its authenticator, of any user. */
export const byCredentialId = (db: Db<Database>, credentialId: Buffer): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credentialId', '=', credentialId).executeTakeFirst()

/** Locks the row until the transaction ends. */
export const lock = (db: Db<Database>, id: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Stores the authenticator's counter and the time of a sign-in. */
export const recordUse = async (
  db: Db<Database>,
  id: string,
  use: { counter: number; lastUsedAt: Date },
): Promise<void> => {
  await db.updateTable('passkeys').set(use).where('id', '=', id).execute()
}

/** Undefined when the user has no such passkey. */
export const rename = (
  db: Db<Database>,
  userId: string,
  id: string,
  name: string,
): Promise<PasskeyRow | undefined> =>
  db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()

/** Undefined when the user has no such passkey. */
export const remove = (db: Db<Database>, userId: string, id: string): Promise<PasskeyRow | undefined> =>
  db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()

/** Stores that a challenge was used. False if that is stored already. */
export async function addSpentChallenge(db: Db<Database>, id: string, expiresAt: Date): Promise<boolean> {
  const spent = await db
    .insertInto('spentPasskeyChallenges')
    .values({ id, expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return spent !== undefined
}
