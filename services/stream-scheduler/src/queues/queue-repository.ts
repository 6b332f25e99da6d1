import type { RequestQueue } from '@looptide/contracts/events/audience'
import { sql } from 'kysely'
import type { Store, Trx } from '../db/schema.ts'

/** A part of a queue that audience has published. */
export interface QueuePart extends RequestQueue {
  channelId: string
  sequence: number
  part: number
  parts: number
}

/** The sequences of a channel's queues of which all parts are there. */
const completeSequences = (channelId: string) => sql<{ sequence: number }>`
  select sequence from request_queues where channel_id = ${channelId}
  group by sequence, parts having count(*) = parts`

/**
 * Stores a part of a channel's queue, unless a newer queue or no such channel is known. Older queues stay until all parts of
 * a newer one are there, and the one in use, which is the oldest, until a plan uses a newer one. Returns whether the queue
 * is complete.
 */
export async function storeQueuePart(trx: Trx, stored: QueuePart): Promise<boolean> {
  const { channelId, sequence, part, parts, ...body } = stored
  await sql`
    insert into request_queues (channel_id, sequence, part, parts, body)
    select id, ${sequence}, ${part}, ${parts}, ${JSON.stringify(body)}::jsonb from channels
    where id = ${channelId} and not exists (
      select from request_queues q where q.channel_id = ${channelId} and q.sequence > ${sequence})
    for key share
    on conflict do nothing`.execute(trx)
  await sql`
    with complete as (${completeSequences(channelId)})
    delete from request_queues where channel_id = ${channelId}
      and sequence < (select max(sequence) from complete)
      and sequence <> (select min(sequence) from complete)`.execute(trx)
  return (await findQueues(trx, channelId)).includes(sequence)
}

/** The sequences of a channel's complete queues, the newest one first: at most two, of which the last one is in use. */
export async function findQueues(db: Store, channelId: string): Promise<number[]> {
  const { rows } = await sql<{ sequence: number }>`
    ${completeSequences(channelId)} order by sequence desc`.execute(db)
  return rows.map(({ sequence }) => sequence)
}

/** A complete queue of a channel. */
export async function readQueue(db: Store, channelId: string, sequence: number): Promise<RequestQueue> {
  const parts = await db
    .selectFrom('requestQueues')
    .select('body')
    .where('channelId', '=', channelId)
    .where('sequence', '=', sequence)
    .orderBy('part')
    .execute()
  return {
    requests: parts.flatMap(({ body }) => body.requests),
    turns: parts.flatMap(({ body }) => body.turns),
    votes: parts.flatMap(({ body }) => body.votes),
  }
}

/** Deletes the queues that are older than the one in use. */
export async function deleteQueuesBefore(trx: Trx, channelId: string, sequence: number): Promise<void> {
  await trx
    .deleteFrom('requestQueues')
    .where('channelId', '=', channelId)
    .where('sequence', '<', sequence)
    .execute()
}
