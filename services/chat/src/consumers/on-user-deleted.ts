import type { Envelope } from '@looptide/contracts/events'
import { deleteWithAccount } from '@looptide/service-kit/events/account-deletion'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { tables } from '../db/tables.ts'
import { eraseMessagesOf, removeNewestOf } from '../features/messages/message-repository.ts'
import { deleteUserData } from '../features/users/user-repository.ts'

export const onUserDeleted = deleteWithAccount<Database, typeof tables>(tables, {
  profile: (trx, { data, aggregateVersion }) => deleteUserData(trx, data.userId, aggregateVersion),
  messages: deleteMessages,
})

/**
 * Deletes all messages of a deleted account, if its owner asked for it. Open pages drop the newest ones, those of the last
 * day also after a reconnect: their rows stay without a text until the retention deletes them.
 */
async function deleteMessages(
  trx: Transaction<Database>,
  { data, correlationId }: Envelope<'auth.user.deleted.v1'>,
): Promise<void> {
  const { userId, deletesMessages = false } = data
  if (!deletesMessages) return
  const removed = await removeNewestOf(trx, userId)
  await appendEvents(
    trx,
    removed.map(({ id, channelId, seq }) => ({
      type: 'chat.message.removed.v1',
      aggregateId: channelId,
      data: { channelId, messageId: id, seq },
    })),
    { correlationId },
  )
  await eraseMessagesOf(trx, userId)
}
