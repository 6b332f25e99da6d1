import type { Transaction } from 'kysely'
import type { Database } from '../../../db/schema.ts'

/** Stores that a challenge was used. False if that is stored already. */
export async function insertSpent(trx: Transaction<Database>, id: string, expiresAt: Date): Promise<boolean> {
  const spent = await trx
    .insertInto('spentPasskeyChallenges')
    .values({ id, expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return spent !== undefined
}
