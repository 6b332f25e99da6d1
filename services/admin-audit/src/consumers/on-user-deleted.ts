import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { insertRemovedAccount } from '../features/retention/retention-repository.ts'

/** Stores a deleted account, so that the personal data in its audit entries can be replaced later. */
export async function onUserDeleted(
  trx: Transaction<Database>,
  envelope: Envelope<'auth.user.deleted.v1'>,
): Promise<void> {
  await insertRemovedAccount(trx, {
    userId: envelope.data.userId,
    deletedAt: new Date(envelope.occurredAt),
  })
}
