import type { Envelope } from '@looptide/contracts/events'
import type { CatalogueTrx } from '../db/schema.ts'
import { deleteReportsOfChannel } from '../features/metadata/report-repository.ts'

/** Deletes the video reports of a deleted channel. */
export async function onChannelDeleted(
  trx: CatalogueTrx,
  envelope: Envelope<'stream.channel.deleted.v1'>,
): Promise<void> {
  await deleteReportsOfChannel(trx, envelope.data.channelId)
}
