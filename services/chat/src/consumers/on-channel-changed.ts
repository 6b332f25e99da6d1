import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { projectChannel } from '../features/channels/channel-repository.ts'

/** Opens the chat of a channel that was created or updated. */
export async function onChannelChanged(
  trx: Transaction<Database>,
  envelope: Envelope<'stream.channel.created.v1' | 'stream.channel.updated.v1'>,
): Promise<void> {
  const { channelId } = envelope.data
  await projectChannel(trx, { id: channelId, isDeleted: false, version: envelope.aggregateVersion })
}
