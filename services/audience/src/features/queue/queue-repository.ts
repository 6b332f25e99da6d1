import type { TurnRequest } from '@looptide/fairness/turns'
import type { CastBallot } from '@looptide/fairness/votes'
import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { networkOn } from '../networks/network-repository.ts'

/** The place of requests that have none in the expected order: after all others. */
export const UNRANKED = 2_147_483_647
/** Maximum number of channels of which one run publishes the queue. */
const MAX_CHANGED = 1000

/** A request that waits, with what its order depends on. */
export interface QueuedRow extends TurnRequest {
  videoId: string
  artistName: string
  isPinned: boolean
  /** The place that is stored. */
  rank: number
}

/** A day (UTC date), and the waiting requests that are left out. */
interface QueueView {
  day: string
  without: readonly string[]
}

/** Notes in the transaction of a change that the queues of these channels have changed. */
export async function markQueuesChanged(
  trx: Transaction<Database>,
  channelIds: readonly string[],
): Promise<void> {
  if (channelIds.length === 0) return
  await trx
    .insertInto('queueChanges')
    .values(channelIds.map((channelId) => ({ channelId })))
    .execute()
}

/** Notes that the queues have changed in which a user's requests or votes wait. */
export async function markQueuesOf(trx: Transaction<Database>, userId: string): Promise<void> {
  await sql`
    insert into queue_changes (channel_id)
    select channel_id from requests where user_id = ${userId} and state = 'waiting'
    union select r.channel_id from votes v join requests r on r.id = v.request_id where v.user_id = ${userId}`.execute(
    trx,
  )
}

/** Channels whose queue has changed since it was published. Reads one index entry for each, however many changes it has. */
export async function findChangedQueues(db: Db<Database>): Promise<string[]> {
  const { rows } = await sql<{ channelId: string }>`
    with recursive changed as (
      (select channel_id from queue_changes order by channel_id limit 1)
      union all
      select (select q.channel_id from queue_changes q where q.channel_id > c.channel_id
              order by q.channel_id limit 1)
      from changed c where c.channel_id is not null
    )
    select channel_id from changed where channel_id is not null limit ${MAX_CHANGED}`.execute(db)
  return rows.map(({ channelId }) => channelId)
}

/**
 * Deletes the marks of a channel, and returns the sequence number of the queue to publish; undefined without marks, or if
 * another replica publishes it. Queues that are read afterwards contain all changes of these marks. Numbers grow with the
 * time (epoch ms), so that they do so across an emptied schema too.
 */
export async function beginSequence(
  trx: Transaction<Database>,
  channelId: string,
  nowMs: number,
): Promise<number | undefined> {
  const deleted = await sql`delete from queue_changes where channel_id = ${channelId}`.execute(trx)
  if (deleted.numAffectedRows === 0n) return undefined
  const { rows } = await sql<{ sequence: number }>`
    update channels set queue_sequence = greatest(queue_sequence + 1, ${nowMs}) where id = ${channelId}
    returning queue_sequence as sequence`.execute(trx)
  return rows[0]?.sequence
}

/** The waiting requests of a channel on a day (UTC date), except those left out: pinned ones, then in the order of requests. */
export async function readQueue(
  trx: Transaction<Database>,
  channelId: string,
  { day, without }: QueueView,
): Promise<QueuedRow[]> {
  const { rows } = await sql<QueuedRow>`
    select r.id, r.user_id as account, r.video_id, r.artist_name, r.duration_ms, r.pinned_at is not null as is_pinned, r.rank,
           (extract(epoch from r.requested_at) * 1000)::bigint as requested_at_ms,
           ${networkOn(day, sql`r.user_id`)} as network
    from requests r left join networks n on n.user_id = r.user_id
    where r.channel_id = ${channelId} and r.state = 'waiting' and r.user_id is not null
      and r.id <> all(${[...without]}::uuid[])
    order by r.pinned_at, r.id`.execute(trx)
  return rows
}

/** What the voters of a channel approve on a day (UTC date), except requests that are left out. */
export async function readBallots(
  trx: Transaction<Database>,
  channelId: string,
  { day, without }: QueueView,
): Promise<CastBallot[]> {
  const { rows } = await sql<CastBallot>`
    select v.user_id as account, ${networkOn(day, sql`v.user_id`)} as network,
           array_agg(v.request_id order by v.request_id) as approved,
           (min(extract(epoch from v.voted_at)) * 1000)::bigint as since_ms
    from requests r join votes v on v.request_id = r.id left join networks n on n.user_id = v.user_id
    where r.channel_id = ${channelId} and r.state = 'waiting' and r.id <> all(${[...without]}::uuid[])
    group by v.user_id, 2
    order by v.user_id`.execute(trx)
  return rows
}

/** The networks of these accounts on a day (UTC date). */
export async function networksOf(
  trx: Transaction<Database>,
  accounts: readonly string[],
  day: string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ account: string; network: string }>`
    select given.account, ${networkOn(day, sql`given.account`)} as network
    from unnest(${[...accounts]}::uuid[]) as given (account) left join networks n on n.user_id = given.account`.execute(
    trx,
  )
  return new Map(rows.map(({ account, network }) => [account, network]))
}

/**
 * Stores the places of waiting requests. Leaves out those that another transaction has locked: it ends, pins or is a vote for
 * them, so the queue is published again.
 */
export async function setRanks(
  trx: Transaction<Database>,
  ranks: readonly { id: string; rank: number }[],
): Promise<void> {
  if (ranks.length === 0) return
  const ids = ranks.map(({ id }) => id)
  await sql`
    with free as (
      select id from requests where id = any(${ids}::uuid[]) and state = 'waiting' for no key update skip locked
    )
    update requests r set rank = given.rank
    from free join unnest(${ids}::uuid[], ${ranks.map(({ rank }) => rank)}::integer[]) as given (id, rank)
      on given.id = free.id
    where r.id = free.id`.execute(trx)
}
