import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { deleteAiringsOf } from '../features/airings/airing-repository.ts'
import { deleteReactionsOf } from '../features/reactions/reaction-repository.ts'
import { deleteChannel } from '../features/settings/settings-repository.ts'

/**
 * Deletes what belongs to a deleted channel: its requests with votes and receipts, its loads, queues and exclusions, its
 * airings and the reactions to them.
 */
export async function onChannelDeleted(
  trx: Transaction<Database>,
  envelope: Envelope<'stream.channel.deleted.v1'>,
): Promise<void> {
  await deleteChannel(trx, envelope.data.channelId)
  await deleteReactionsOf(trx, envelope.data.channelId)
  await deleteAiringsOf(trx, envelope.data.channelId)
}
