import type { PollResult } from '@looptide/contracts/http/polls'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { NewMessage } from './message-repository.ts'

/** Stores the result of a poll as the newest message of a locked channel. */
export async function insertPollResult(
  trx: Transaction<Database>,
  message: NewMessage & { channelId: string; createdAt: Date; poll: PollResult },
): Promise<void> {
  await trx
    .insertInto('liveChatMessages')
    .values({ ...message, poll: JSON.stringify(message.poll) })
    .execute()
  await trx
    .updateTable('channels')
    .set({ lastSeq: message.seq })
    .where('id', '=', message.channelId)
    .execute()
}

/** Whether the chat knows a channel, which may be deleted. */
export async function isKnownChannel(trx: Transaction<Database>, channelId: string): Promise<boolean> {
  const row = await trx.selectFrom('channels').select('id').where('id', '=', channelId).executeTakeFirst()
  return row !== undefined
}
