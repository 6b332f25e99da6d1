import type { PollResult } from '@looptide/contracts/http/polls'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { type Selectable, sql, type Transaction } from 'kysely'
import type { Database, LiveChatMessagesTable } from '../../db/schema.ts'
import type { Bucket } from './rate-limit.ts'

/** A message with its author's names, null if their profile has not arrived. */
export interface MessageRow {
  id: string
  channelId: string
  seq: number
  userId: string
  message: string
  createdAt: Date
  handle: string | null
  artistName: string | null
  /** The message is the result of this poll. */
  poll?: PollResult | null
}

/** The state of a channel whose row is locked by this transaction. */
export interface LockedChannel {
  lastSeq: number
  slowModeS: number
}

/**
 * Locks a channel until the transaction ends; null for an unknown or deleted channel. The lock makes messages commit
 * in the order of their sequence numbers.
 */
export async function lockChannel(
  trx: Transaction<Database>,
  channelId: string,
): Promise<LockedChannel | null> {
  const row = await trx
    .selectFrom('channels')
    .select(['lastSeq', 'slowModeS'])
    .where('id', '=', channelId)
    .where('isDeleted', '=', false)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export type NewMessage = Pick<LiveChatMessagesTable, 'id' | 'seq' | 'userId' | 'clientId' | 'message'>

const NO_BUCKETS: ReadonlyMap<string, Bucket> = new Map()

/** Stores messages, the channel's last sequence number and the senders' buckets (by user) in one statement. */
export async function insertMessages(
  trx: Transaction<Database>,
  channelId: string,
  {
    createdAt,
    lastSeq,
    messages,
    buckets: bucketOf = NO_BUCKETS,
  }: {
    createdAt: Date
    lastSeq: number
    messages: readonly NewMessage[]
    buckets?: ReadonlyMap<string, Bucket>
  },
): Promise<void> {
  const senderIds = [...bucketOf.keys()]
  const buckets = [...bucketOf.values()]
  await sql`
    with stored as (
      insert into live_chat_messages (id, channel_id, seq, user_id, client_id, message, created_at)
      select g.id, ${channelId}, g.seq, g.user_id, g.client_id, g.message, ${createdAt}
      from unnest(
        ${messages.map((m) => m.id)}::uuid[],
        ${messages.map((m) => m.seq)}::bigint[],
        ${messages.map((m) => m.userId)}::uuid[],
        ${messages.map((m) => m.clientId)}::uuid[],
        ${messages.map((m) => m.message)}::text[]
      ) as g (id, seq, user_id, client_id, message)
    ), limited as (
      insert into chatters (channel_id, user_id, tokens, posted_at)
      select ${channelId}, g.user_id, g.tokens, g.posted_at
      from unnest(
        ${senderIds}::uuid[],
        ${buckets.map((b) => b.tokens)}::double precision[],
        ${buckets.map((b) => new Date(b.postedAtMs).toISOString())}::timestamptz[]
      ) as g (user_id, tokens, posted_at)
      on conflict (channel_id, user_id)
        do update set tokens = excluded.tokens, posted_at = excluded.posted_at
    )
    update channels set last_seq = ${lastSeq} where id = ${channelId}`.execute(trx)
}

/**
 * Up to `limit` visible messages, oldest first: the first ones after a sequence number or from an instant on, else the newest
 * ones.
 */
export async function listMessages(
  db: Db<Database>,
  channelId: string,
  range: {
    after?: number | undefined
    before?: number | undefined
    from?: Date | undefined
    to?: Date | undefined
    limit: number
  },
): Promise<MessageRow[]> {
  let query = db
    .selectFrom('liveChatMessages as m')
    .leftJoin('profiles as p', 'p.userId', 'm.userId')
    .select([
      'm.id',
      'm.channelId',
      'm.seq',
      'm.userId',
      'm.message',
      'm.createdAt',
      'm.poll',
      'p.handle',
      'p.artistName',
    ])
    .where('m.channelId', '=', channelId)
    .where('m.isDeleted', '=', false)
    .limit(range.limit)
  if (range.after !== undefined) query = query.where('m.seq', '>', range.after)
  if (range.before !== undefined) query = query.where('m.seq', '<', range.before)
  if (range.from !== undefined) query = query.where('m.createdAt', '>=', range.from)
  if (range.to !== undefined) query = query.where('m.createdAt', '<', range.to)
  const forward = range.after !== undefined || range.from !== undefined
  const isByTime = range.from !== undefined || range.to !== undefined
  const direction = forward ? 'asc' : 'desc'
  if (isByTime) query = query.orderBy('m.createdAt', direction)
  const rows = await query.orderBy('m.seq', direction).execute()
  return forward ? rows : rows.reverse()
}

/** Ids of the messages removed within the last day, newest removal first, at most 100. */
export async function listRemovedIds(db: Db<Database>, channelId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('liveChatMessages')
    .select('id')
    .where('channelId', '=', channelId)
    .where('isDeleted', '=', true)
    .where('removedAt', '>', sql<Date>`now() - interval '1 day'`)
    .orderBy('removedAt', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => row.id)
}

/** A message of a channel, removed ones included. */
export function findMessage(
  db: Db<Database>,
  channelId: string,
  messageId: string,
): Promise<Selectable<LiveChatMessagesTable> | undefined> {
  return db
    .selectFrom('liveChatMessages')
    .selectAll()
    .where('id', '=', messageId)
    .where('channelId', '=', channelId)
    .executeTakeFirst()
}

/** Hides a message. It stays stored, with the moderator's id. False if it was removed before, or is not stored. */
export async function markRemoved(
  trx: Transaction<Database>,
  messageId: string,
  removedBy: string,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('liveChatMessages')
    .set({ isDeleted: true, removedAt: sql`now()`, removedBy })
    .where('id', '=', messageId)
    .where('isDeleted', '=', false)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Number of messages of a deleted account that open pages are notified to remove, also pages of the chat of a past evening. */
const MAX_REMOVED = 500
/** Replaces the texts of removed messages of a deleted account. The column does not accept an empty text. */
const ERASED = '-'

/**
 * Returns the newest messages of a deleted account. Those of the last day are marked as removed, so that pages that reconnect
 * learn of them.
 */
export async function removeNewestOf(
  trx: Transaction<Database>,
  userId: string,
): Promise<Pick<MessageRow, 'id' | 'channelId' | 'seq'>[]> {
  const { rows } = await sql<Pick<MessageRow, 'id' | 'channelId' | 'seq'>>`
    with newest as materialized (
      select id, channel_id, seq, created_at from live_chat_messages
      where user_id = ${userId}::uuid and not is_deleted
      order by id desc limit ${MAX_REMOVED}
    ), marked as (
      update live_chat_messages set is_deleted = true, removed_at = now(), removed_by = user_id
      where id = any(array(select id from newest where created_at > now() - interval '1 day'))
    )
    select id, channel_id, seq from newest`.execute(trx)
  return rows
}

/** Erases the texts of the removed messages of a deleted account, and deletes its other messages, in batches. */
export async function eraseMessagesOf(trx: Transaction<Database>, userId: string): Promise<void> {
  await inBatches((limit) =>
    sql`update live_chat_messages set message = ${ERASED}, poll = null where id = any(array(
      select id from live_chat_messages
      where user_id = ${userId}::uuid and is_deleted and message <> ${ERASED} limit ${limit}))`.execute(trx),
  )
  await inBatches((limit) =>
    sql`delete from live_chat_messages where id = any(array(
      select id from live_chat_messages where user_id = ${userId}::uuid and not is_deleted limit ${limit}))`.execute(
      trx,
    ),
  )
}

/** Deletes the messages whose id sorts before `beforeId`, in batches, until `signal` aborts. Returns their number. */
export function deleteMessagesBefore(
  db: Db<Database>,
  beforeId: string,
  signal?: AbortSignal,
): Promise<number> {
  return inBatches(
    (limit) =>
      sql`delete from live_chat_messages where id = any(array(
        select id from live_chat_messages where id < ${beforeId}::uuid order by id limit ${limit}))`.execute(
        db,
      ),
    signal,
  )
}

/** Deletes the rate-limit buckets of users who have not posted since `before`. */
export async function deleteIdleChatters(db: Db<Database>, before: Date): Promise<void> {
  // A sequential scan over one day's chatters. An index on posted_at would be updated with every message.
  await sql`delete from chatters where posted_at < ${before}`.execute(db)
}
