import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { Database, SecurityKeysTable } from '../../db/schema.ts'

type SecurityKeyRow = Selectable<SecurityKeysTable>

/** Whether the key was added; false when the credential is registered already, by anyone. */
export const insert = async (db: Db<Database>, row: SecurityKeyRow): Promise<boolean> => {
  const added = await db
    .insertInto('securityKeys')
    .values(row)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning('factorId')
    .executeTakeFirst()
  return added !== undefined
}

/** The credential of a factor; undefined for other kinds of factors. */
export const byFactor = (db: Db<Database>, factorId: string): Promise<SecurityKeyRow | undefined> =>
  db.selectFrom('securityKeys').selectAll().where('factorId', '=', factorId).executeTakeFirst()

/** Stores the authenticator's counter. */
export const setCounter = async (db: Db<Database>, factorId: string, counter: number): Promise<void> => {
  await db.updateTable('securityKeys').set({ counter }).where('factorId', '=', factorId).execute()
}
