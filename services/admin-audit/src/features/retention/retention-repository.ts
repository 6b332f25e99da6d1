import type { Db } from '@looptide/service-kit/db/db'
import { sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** The age in days at which entries lose their personal data; 0 keeps it. */
export async function findPseudonymiseDays(db: Db<Database>): Promise<number> {
  const settings = await db.selectFrom('auditSettings').select('pseudonymiseDays').executeTakeFirstOrThrow()
  return settings.pseudonymiseDays
}

/** Stores {@link findPseudonymiseDays}. Only the owner of the tables may. */
export async function setPseudonymiseDays(db: Db<Database>, pseudonymiseDays: number): Promise<void> {
  await db
    .updateTable('auditSettings')
    .set({ pseudonymiseDays })
    .where('pseudonymiseDays', '<>', pseudonymiseDays)
    .execute()
}

/** Stores that an account was deleted. */
export async function insertRemovedAccount(
  db: Db<Database>,
  account: { userId: string; deletedAt: Date },
): Promise<void> {
  await db
    .insertInto('removedAccounts')
    .values(account)
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute()
}

/** Accounts that were deleted at least 30 days ago, oldest first. */
export async function findLongRemoved(db: Db<Database>, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('removedAccounts')
    .select('userId')
    .where('deletedAt', '<=', sql<Date>`now() - interval '30 days'`)
    .orderBy('deletedAt')
    .limit(limit)
    .execute()
  return rows.map(({ userId }) => userId)
}

/** Deletes what {@link insertRemovedAccount} stored. */
export async function deleteRemovedAccount(db: Db<Database>, userId: string): Promise<void> {
  await db.deleteFrom('removedAccounts').where('userId', '=', userId).execute()
}

/** Pseudonymises up to `limit` entries that are due, or those of `userId` among them. Returns their number. */
export async function pseudonymiseEntries(
  db: Db<Database>,
  userId: string | null,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ changed: number }>`
      select audit_pseudonymise(now(), ${userId}, ${limit}) as changed`.execute(db)
  return rows[0]?.changed ?? 0
}
