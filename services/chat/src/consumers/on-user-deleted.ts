import type { Envelope } from '@looptide/contracts/events'
import { appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { eraseMessagesOf, markRemovedOf } from '../features/messages/message-repository.ts'
import { deleteUserData } from '../features/users/user-repository.ts'

/** Deletes the user's data; the messages only if their author chose so, else they stay without a name. */
export async function onUserDeleted(
  trx: Transaction<Database>,
  envelope: Envelope<'auth.user.deleted.v1'>,
): Promise<void> {
  const { userId, deletesMessages = false } = envelope.data
  await deleteUserData(trx, userId, envelope.aggregateVersion)
  if (deletesMessages) await deleteMessagesOf(trx, userId, { correlationId: envelope.correlationId })
}

/**
 * Deletes all messages of a deleted account. The newest ones are removed like single messages, so that open pages drop
 * them, also after a reconnect; their rows stay without a text until the retention deletes them.
 */
async function deleteMessagesOf(trx: Transaction<Database>, userId: string, cause: Cause): Promise<void> {
  const removed = await markRemovedOf(trx, userId)
  await appendEvents(
    trx,
    removed.map(({ id, channelId, seq }) => ({
      type: 'chat.message.removed.v1',
      aggregateId: channelId,
      data: { channelId, messageId: id, seq },
    })),
    cause,
  )
  await eraseMessagesOf(trx, userId)
}
