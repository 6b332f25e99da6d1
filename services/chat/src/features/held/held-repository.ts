import { type HeldMessage, MAX_HELD_PER_ACCOUNT } from '@looptide/contracts/http/chat'
import { type HeldState, MAX_HELD_PER_CHANNEL } from '@looptide/contracts/http/held-messages'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, HeldMessagesTable } from '../../db/schema.ts'

export type HeldRow = Selectable<HeldMessagesTable>

/** A held message as its sender sees it. */
export const presentHeld = ({
  id,
  channelId,
  message,
  heldAt,
}: Pick<HeldRow, 'id' | 'channelId' | 'message' | 'heldAt'>): HeldMessage => ({
  heldId: id,
  channelId,
  message,
  heldAt: heldAt.toISOString(),
})

/** How many messages of a channel wait, and how many of each of these users, at most the limits. */
export async function countHeld(
  trx: Transaction<Database>,
  channelId: string,
  userIds: readonly string[],
): Promise<{ ofChannel: number; ofUser: ReadonlyMap<string, number> }> {
  const { rows } = await sql<{ userId: string; ofUser: number; ofChannel: number }>`
    select i.user_id,
      (select count(*)::integer from held_messages h
        where h.channel_id = ${channelId} and h.user_id = i.user_id and h.state = 'waiting') as of_user,
      (select count(*)::integer from (
        select from held_messages h where h.channel_id = ${channelId} and h.state = 'waiting'
        limit ${MAX_HELD_PER_CHANNEL}) as w) as of_channel
    from unnest(${userIds}::uuid[]) as i (user_id)`.execute(trx)
  return {
    ofChannel: rows[0]?.ofChannel ?? 0,
    ofUser: new Map(rows.map(({ userId, ofUser }) => [userId, ofUser])),
  }
}

/** Stores messages that wait. */
export async function insertHeld(
  trx: Transaction<Database>,
  rows: readonly Insertable<HeldMessagesTable>[],
): Promise<void> {
  await trx
    .insertInto('heldMessages')
    .values([...rows])
    .execute()
}

/** The user's messages of a channel that wait, oldest first. */
export const heldOf = (db: Db<Database>, channelId: string, userId: string): Promise<HeldRow[]> =>
  db
    .selectFrom('heldMessages')
    .selectAll()
    .where('channelId', '=', channelId)
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')
    .orderBy('id')
    .limit(MAX_HELD_PER_ACCOUNT)
    .execute()

const waiting = (db: Db<Database>, exceptAuthor: string) =>
  db
    .selectFrom('heldMessages as h')
    .where('h.state', '=', 'waiting')
    .where('h.userId', '!=', exceptAuthor)
    // In the order of the index, so that the plan does not read the whole table for rows that it expects anywhere.
    .orderBy('h.id')

/** Up to `limit` waiting messages after a cursor, oldest first, without those of `exceptAuthor`. */
export function listHeld(
  db: Db<Database>,
  { exceptAuthor, after, limit }: { exceptAuthor: string; after?: string | undefined; limit: number },
): Promise<(HeldRow & { authorHandle: string | null })[]> {
  const query = waiting(db, exceptAuthor)
    .leftJoin('profiles as p', 'p.userId', 'h.userId')
    .selectAll('h')
    .select('p.handle as authorHandle')
    .limit(limit)
  return (after === undefined ? query : query.where('h.id', '>', after)).execute()
}

/** Number of waiting messages of others than `exceptAuthor`, at most `limit`. */
export async function countWaitingHeld(
  db: Db<Database>,
  exceptAuthor: string,
  limit: number,
): Promise<number> {
  return (await waiting(db, exceptAuthor).select('h.id').limit(limit).execute()).length
}

/** A held message with its author's names, also a decided one, locked until the transaction ends. */
export const lockHeld = (
  trx: Transaction<Database>,
  id: string,
): Promise<(HeldRow & { handle: string | null; artistName: string | null }) | undefined> =>
  trx
    .selectFrom('heldMessages as h')
    .leftJoin('profiles as p', 'p.userId', 'h.userId')
    .selectAll('h')
    .select(['p.handle', 'p.artistName'])
    .where('h.id', '=', id)
    .forUpdate('h')
    .executeTakeFirst()

/** Sets what has become of a held message. */
export async function setHeldState(
  trx: Transaction<Database>,
  id: string,
  state: Exclude<HeldState, 'waiting'>,
): Promise<void> {
  await trx.updateTable('heldMessages').set({ state }).where('id', '=', id).execute()
}

/** Rejects what waits of a user, and returns it. */
export const rejectHeldOf = (
  trx: Transaction<Database>,
  userId: string,
): Promise<Pick<HeldRow, 'id' | 'channelId'>[]> =>
  trx
    .updateTable('heldMessages')
    .set({ state: 'rejected' })
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')
    .returning(['id', 'channelId'])
    .execute()

/** Deletes what is held of a channel. */
export async function deleteHeldOfChannel(trx: Transaction<Database>, channelId: string): Promise<void> {
  await inBatches((limit) =>
    sql`delete from held_messages where id = any(array(
      select id from held_messages where channel_id = ${channelId} limit ${limit}))`.execute(trx),
  )
}

/** Deletes the messages held before this id, in batches, until `signal` aborts. */
export async function deleteHeldBefore(
  db: Db<Database>,
  beforeId: string,
  signal?: AbortSignal,
): Promise<void> {
  await inBatches(
    (limit) =>
      sql`delete from held_messages where id = any(array(
        select id from held_messages where id < ${beforeId}::uuid order by id limit ${limit}))`.execute(db),
    signal,
  )
}
