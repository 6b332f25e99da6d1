import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { projectChannel } from '../features/channels/channel-repository.ts'
import { deleteHeldOfChannel } from '../features/held/held-repository.ts'

/** Marks a channel as deleted; its messages are kept until their retention ends, what is held is not. */
export async function onChannelDeleted(
  trx: Transaction<Database>,
  envelope: Envelope<'stream.channel.deleted.v1'>,
): Promise<void> {
  const { channelId } = envelope.data
  await projectChannel(trx, { id: channelId, isDeleted: true, version: envelope.aggregateVersion })
  await deleteHeldOfChannel(trx, channelId)
}
