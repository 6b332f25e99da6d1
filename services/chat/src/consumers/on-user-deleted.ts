import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { deleteUserData } from '../features/users/user-repository.ts'

export async function onUserDeleted(
  trx: Transaction<Database>,
  envelope: Envelope<'auth.user.deleted.v1'>,
): Promise<void> {
  await deleteUserData(trx, envelope.data.userId, envelope.aggregateVersion)
}
