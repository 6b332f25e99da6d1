import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { deleteChannel } from '../features/settings/settings-repository.ts'

/** Deletes what belongs to a deleted channel: its requests with votes and receipts, its loads, queues and exclusions. */
export const onChannelDeleted = (
  trx: Transaction<Database>,
  envelope: Envelope<'stream.channel.deleted.v1'>,
): Promise<void> => deleteChannel(trx, envelope.data.channelId)
