import type { Envelope } from '@looptide/contracts/events'
import { inBatches } from '@looptide/service-kit/db/batches'
import { sql } from 'kysely'
import type { CatalogueTrx } from '../db/schema.ts'

/** Deletes the video reports of a deleted channel. */
export async function onChannelDeleted(
  trx: CatalogueTrx,
  envelope: Envelope<'stream.channel.deleted.v1'>,
): Promise<void> {
  const { channelId } = envelope.data
  await inBatches((limit) =>
    sql`delete from video_reports where ctid = any(array(
      select ctid from video_reports where channel_id = ${channelId} limit ${limit}))`.execute(trx),
  )
}
