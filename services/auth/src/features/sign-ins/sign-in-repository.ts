import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { Database, SignInsTable } from '../../db/schema.ts'

export type SignInRow = Selectable<SignInsTable>

/** Maximum number of successful sign-ins per user, and of failed ones. A further one replaces the oldest. */
const ROWS_PER_OUTCOME = 100

export const signInRepository = {
  /** Adds a row and deletes the oldest of the same outcome above {@link ROWS_PER_OUTCOME}. */
  add: async (db: Db<Database>, row: SignInRow): Promise<void> => {
    await db.insertInto('signIns').values(row).execute()
    const { userId, succeeded } = row
    const surplus = db
      .selectFrom('signIns')
      .select('id')
      .where('userId', '=', userId)
      .where('succeeded', '=', succeeded)
      .orderBy('id', 'desc')
      .offset(ROWS_PER_OUTCOME)
    await db.deleteFrom('signIns').where('userId', '=', userId).where('id', 'in', surplus).execute()
  },

  /** Newest first, after the row `after` if given. Returns `limit + 1` rows when there are more than `limit`. */
  listOf: (
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
  },

  /** Devices and networks of the user's successful sign-ins. */
  knownOf: (db: Db<Database>, userId: string): Promise<Pick<SignInRow, 'device' | 'network'>[]> =>
    db
      .selectFrom('signIns')
      .select(['device', 'network'])
      .distinct()
      .where('userId', '=', userId)
      .where('succeeded', '=', true)
      .limit(ROWS_PER_OUTCOME)
      .execute(),

  /** User agents and IP addresses of the user's sessions. */
  clientsOf: (db: Db<Database>, userId: string): Promise<{ userAgent: string | null; ip: string | null }[]> =>
    db
      .selectFrom('sessions')
      .select(['userAgent', 'ip'])
      .distinct()
      .where('userId', '=', userId)
      .limit(ROWS_PER_OUTCOME)
      .execute(),
}
