import type { Envelope } from '@looptide/contracts/events'
import type { CatalogueTrx } from '../db/schema.ts'

/** What its viewers said of videos goes with a channel. */
export async function onChannelDeleted(
  trx: CatalogueTrx,
  envelope: Envelope<'stream.channel.deleted.v1'>,
): Promise<void> {
  await trx.deleteFrom('videoReports').where('channelId', '=', envelope.data.channelId).execute()
}
