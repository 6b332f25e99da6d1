import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'

/** Stores a deleted account, so that the personal data in its audit entries can be replaced later. */
export async function onUserDeleted(
  trx: Transaction<Database>,
  envelope: Envelope<'auth.user.deleted.v1'>,
): Promise<void> {
  const row = { userId: envelope.data.userId, deletedAt: new Date(envelope.occurredAt) }
  await trx
    .insertInto('removedAccounts')
    .values(row)
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute()
}
