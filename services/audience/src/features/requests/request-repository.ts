import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, RequestsTable, StoredState } from '../../db/schema.ts'

/** A request with the handle of its requester. */
export type RequestRow = Selectable<RequestsTable> & { handle: string | null }

const withHandle = (db: Db<Database>) =>
  db
    .selectFrom('requests as r')
    .leftJoin('profiles as p', 'p.userId', 'r.userId')
    .selectAll('r')
    .select('p.handle')

/** The place in the list of waiting requests after which a page begins. */
export interface ListPosition {
  /** Null after the pinned ones. */
  pinnedAt: Date | null
  id: string
}

/** A page of a channel's waiting requests: pinned ones, then in the order of requests. One row more than `limit` if there is one. */
export async function listWaiting(
  db: Db<Database>,
  channelId: string,
  after: ListPosition | null,
  limit: number,
): Promise<RequestRow[]> {
  return withHandle(db)
    .where('r.channelId', '=', channelId)
    .where('r.state', '=', 'waiting')
    .where((eb) => {
      if (after === null) return eb.lit(true)
      const { pinnedAt, id } = after
      if (pinnedAt === null) return eb.and([eb('r.pinnedAt', 'is', null), eb('r.id', '>', id)])
      return eb.or([
        eb('r.pinnedAt', 'is', null),
        eb('r.pinnedAt', '>', pinnedAt),
        eb.and([eb('r.pinnedAt', '=', pinnedAt), eb('r.id', '>', id)]),
      ])
    })
    .orderBy('r.pinnedAt')
    .orderBy('r.id')
    .limit(limit + 1)
    .execute()
}

/** A request in any state. */
export const findRequest = (db: Db<Database>, id: string): Promise<RequestRow | undefined> =>
  withHandle(db).where('r.id', '=', id).executeTakeFirst()

/** A user's waiting request of a video on a channel. */
export const findOwnWaiting = (
  db: Db<Database>,
  channelId: string,
  userId: string,
  videoId: string,
): Promise<RequestRow | undefined> =>
  withHandle(db)
    .where('r.channelId', '=', channelId)
    .where('r.userId', '=', userId)
    .where('r.videoId', '=', videoId)
    .where('r.state', '=', 'waiting')
    .executeTakeFirst()

/** Number of a user's waiting requests, on all channels. */
export async function countWaiting(db: Db<Database>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('requests')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return count
}

/** Stores a new request. Fails if the user's one for the same video waits already. */
export async function insertRequest(
  trx: Transaction<Database>,
  request: Insertable<RequestsTable>,
): Promise<void> {
  await trx.insertInto('requests').values(request).execute()
}

/** Locks a request: `share` keeps it from changing, `update` is for the one who changes it. */
export const lockRequest = (
  trx: Transaction<Database>,
  id: string,
  strength: 'share' | 'update',
): Promise<Selectable<RequestsTable> | undefined> => {
  const found = trx.selectFrom('requests').selectAll().where('id', '=', id)
  return (strength === 'share' ? found.forShare() : found.forUpdate()).executeTakeFirst()
}

/** Ends a waiting request. */
export async function finishRequest(
  trx: Transaction<Database>,
  id: string,
  end: { state: Exclude<StoredState, 'waiting'>; reason: string | null; finishedAt: Date },
): Promise<void> {
  await trx
    .updateTable('requests')
    .set({ ...end, pinnedAt: null })
    .where('id', '=', id)
    .execute()
}

/** Pins a request at this time; null unpins it. */
export async function setPinned(
  trx: Transaction<Database>,
  id: string,
  pinnedAt: Date | null,
): Promise<void> {
  await trx.updateTable('requests').set({ pinnedAt }).where('id', '=', id).execute()
}

/** Deletes a user's waiting requests, with their votes. Returns them. */
export async function deleteWaitingOf(
  trx: Transaction<Database>,
  userId: string,
): Promise<{ id: string; channelId: string }[]> {
  return trx
    .deleteFrom('requests')
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')
    .returning(['id', 'channelId'])
    .execute()
}

/** Removes a user from their finished requests, in batches. */
export async function forgetRequester(trx: Transaction<Database>, userId: string): Promise<void> {
  await inBatches((limit) =>
    sql`update requests set user_id = null where id = any(array(
      select id from requests where user_id = ${userId} limit ${limit}))`.execute(trx),
  )
}

/** Deletes requests that were finished before `before`, in batches. */
export async function deleteFinishedBefore(db: Db<Database>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from requests where id = any(array(
      select id from requests where finished_at < ${before} limit ${limit}))`.execute(db),
  )
}

/** A page of a user's requests after an id, oldest first, with one row more than `limit` if there is one. */
export async function requestsOf(
  db: Db<Database>,
  userId: string,
  afterId: string,
  limit: number,
): Promise<Selectable<RequestsTable>[]> {
  return db
    .selectFrom('requests')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}
