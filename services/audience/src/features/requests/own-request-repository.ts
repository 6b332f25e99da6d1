import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { Database, RequestsTable } from '../../db/schema.ts'
import { type RequestRow, withHandle } from './request-repository.ts'

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

/** A page of a user's requests before an id, newest first, with one row more than `limit` if there is one. */
export const listOwn = (
  db: Db<Database>,
  userId: string,
  beforeId: string | null,
  limit: number,
): Promise<RequestRow[]> =>
  withHandle(db)
    .where('r.userId', '=', userId)
    .$if(beforeId !== null, (query) => query.where('r.id', '<', beforeId))
    .orderBy('r.id', 'desc')
    .limit(limit + 1)
    .execute()

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
