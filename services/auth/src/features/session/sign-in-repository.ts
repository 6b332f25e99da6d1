import type { Db } from '@looptide/service-kit/db/db'
import { type Selectable, sql } from 'kysely'
import type { Database, SignInsTable } from '../../db/schema.ts'

export type SignInRow = Selectable<SignInsTable>

/** Maximum number of successful sign-ins per user, and of failed ones. A further one replaces the oldest. */
const ROWS_PER_OUTCOME = 100

/**
 * Adds rows of different users and deletes each user's oldest of the same outcome above {@link ROWS_PER_OUTCOME}. The
 * statements are the same for any number of rows, also for none.
 */
export const add = async (db: Db<Database>, rows: readonly SignInRow[]): Promise<void> => {
  await sql`insert into sign_ins (id, user_id, created_at, method, succeeded, device, network)
    select * from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ userId }) => userId)}::uuid[],
      ${rows.map(({ createdAt }) => createdAt)}::timestamptz[], ${rows.map(({ method }) => method)}::text[],
      ${rows.map(({ succeeded }) => succeeded)}::boolean[], ${rows.map(({ device }) => device)}::text[],
      ${rows.map(({ network }) => network)}::text[])`.execute(db)
  await sql`delete from sign_ins using (
      select added.user_id, oldest.id
      from unnest(${rows.map(({ userId }) => userId)}::uuid[], ${rows.map(({ succeeded }) => succeeded)}::boolean[])
        as added (user_id, succeeded)
      cross join lateral (
        select id from sign_ins where sign_ins.user_id = added.user_id and sign_ins.succeeded = added.succeeded
        order by id desc offset ${ROWS_PER_OUTCOME}
      ) oldest
    ) surplus
    where sign_ins.user_id = surplus.user_id and sign_ins.id = surplus.id`.execute(db)
}

/** All stored sign-ins of a user, newest first. */
export const allOf = (db: Db<Database>, userId: string): Promise<SignInRow[]> =>
  db.selectFrom('signIns').selectAll().where('userId', '=', userId).orderBy('id', 'desc').execute()

/** Newest first, after the row `after` if given. Returns `limit + 1` rows when there are more than `limit`. */
export const listOf = (
  db: Db<Database>,
  userId: string,
  { minId, after, limit }: { minId: string; after: string | undefined; limit: number },
): Promise<SignInRow[]> => {
  let query = db
    .selectFrom('signIns')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '>=', minId)
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (after !== undefined) query = query.where('id', '<', after)
  return query.execute()
}

/** Devices and networks of the user's successful sign-ins. */
export const knownOf = (db: Db<Database>, userId: string): Promise<Pick<SignInRow, 'device' | 'network'>[]> =>
  db
    .selectFrom('signIns')
    .select(['device', 'network'])
    .distinct()
    .where('userId', '=', userId)
    .where('succeeded', '=', true)
    .limit(ROWS_PER_OUTCOME)
    .execute()

/** User agents and IP addresses of the user's sessions. */
export const clientsOf = (
  db: Db<Database>,
  userId: string,
): Promise<{ userAgent: string | null; ip: string | null }[]> =>
  db
    .selectFrom('sessions')
    .select(['userAgent', 'ip'])
    .distinct()
    .where('userId', '=', userId)
    .limit(ROWS_PER_OUTCOME)
    .execute()
