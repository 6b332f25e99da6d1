import type { RequestQueue } from '@looptide/contracts/events/audience'
import { sql } from 'kysely'
import type { Trx } from '../db/schema.ts'

/** A part of a queue that audience has published. */
export interface QueuePart extends RequestQueue {
  channelId: string
  sequence: number
  part: number
  parts: number
}

/**
 * Stores a part of a channel's queue, unless a newer queue or no such channel is known. Older queues stay until all parts of
 * a newer one are there.
 */
export async function storeQueuePart(trx: Trx, stored: QueuePart): Promise<void> {
  const { channelId, sequence, part, parts, ...body } = stored
  await sql`
    insert into request_queues (channel_id, sequence, part, parts, body)
    select id, ${sequence}, ${part}, ${parts}, ${JSON.stringify(body)}::jsonb from channels
    where id = ${channelId} and not exists (
      select from request_queues q where q.channel_id = ${channelId} and q.sequence > ${sequence})
    for key share
    on conflict do nothing`.execute(trx)
  await sql`
    delete from request_queues where channel_id = ${channelId} and sequence < (
      select max(sequence) from (
        select sequence from request_queues where channel_id = ${channelId}
        group by sequence, parts having count(*) = parts) complete)`.execute(trx)
}
