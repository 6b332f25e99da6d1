import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { deletePollsOf } from '../features/polls/poll-repository.ts'
import { deleteReactionsOf } from '../features/reactions/reaction-repository.ts'
import { deleteChannel } from '../features/settings/settings-repository.ts'

/**
 * Deletes what belongs to a deleted channel: its requests with votes and receipts, its loads, queues and exclusions, its
 * polls, and the reactions to its airings.
 */
export async function onChannelDeleted(
  trx: Transaction<Database>,
  envelope: Envelope<'stream.channel.deleted.v1'>,
): Promise<void> {
  await deletePollsOf(trx, envelope.data.channelId)
  await deleteChannel(trx, envelope.data.channelId)
  await deleteReactionsOf(trx, envelope.data.channelId)
}
