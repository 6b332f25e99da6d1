import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { deleteMessagesOf } from '../features/messages/delete-messages-of.ts'
import { deleteUserData } from '../features/users/user-repository.ts'

export async function onUserDeleted(
  trx: Transaction<Database>,
  envelope: Envelope<'auth.user.deleted.v1'>,
): Promise<void> {
  const { userId, deletesMessages = false } = envelope.data
  await deleteUserData(trx, userId, envelope.aggregateVersion)
  if (deletesMessages) await deleteMessagesOf(trx, userId, { correlationId: envelope.correlationId })
}
