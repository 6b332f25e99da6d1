import type { OutdatedSession } from '@looptide/contracts/http/users'
import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { Database, SessionsTable } from '../../db/schema.ts'

export type SessionRow = Selectable<SessionsTable>
export type RevokeReason = Database['revokedSessions']['reason']
/** A selection of one user's sessions. */
export type SessionChoice =
  | { only: string }
  | { allBut: string }
  | { startedUntil: Date }
  /** All that were not verified with a second factor, except this one and paired devices, which never are. */
  | { withoutFactorBut: string }
  /** All except `but` and the `keep` most recently used others. */
  | { but: string; keep: number }
  | 'all'

/** The session claims of a verified access token. */
export interface PresentedToken {
  sessionId: string
  userId: string
  /** Counter of the refresh token it was issued with. */
  generation: number
}

/** Stores a new session. */
export const insert = async (db: Db<Database>, row: SessionRow): Promise<void> => {
  await db
    .insertInto('sessions')
    .values({ ...row, recentRotations: JSON.stringify(row.recentRotations) })
    .execute()
}

/** A session, locked until the transaction ends. */
export const lock = (db: Db<Database>, id: string): Promise<SessionRow | undefined> =>
  db.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** A user's session with the lowest generation of its tokens. Undefined when it has ended. */
export const find = (db: Db<Database>, id: string, userId: string) =>
  db
    .selectFrom('sessions')
    .leftJoin('outdatedSessions', 'outdatedSessions.id', 'sessions.id')
    .selectAll('sessions')
    .select('outdatedSessions.minGeneration')
    .where('sessions.id', '=', id)
    .where('sessions.userId', '=', userId)
    .executeTakeFirst()

/** Like {@link find}, and records that the answer with the presented token arrived at the client. */
export const confirmReceipt = async (db: Db<Database>, { sessionId, userId, generation }: PresentedToken) => {
  const row = await find(db, sessionId, userId)
  if (row === undefined) return undefined
  await recordArrival(db, sessionId, generation, row.arrivedCounter)
  return row
}

/**
 * Records that the answer with this refresh token counter arrived. Writes only when it exceeds `recorded`, the stored
 * counter: once per refresh.
 */
export const recordArrival = async (
  db: Db<Database>,
  id: string,
  counter: number,
  recorded: number,
): Promise<void> => {
  if (counter <= recorded) return
  await db
    .updateTable('sessions')
    .set({ arrivedCounter: counter })
    .where('id', '=', id)
    .where('arrivedCounter', '<', counter)
    .where('counter', '>=', counter)
    .execute()
}

/** Stores a refresh: token counter, time, client, and the recent rotations. */
export const rotate = async (db: Db<Database>, session: SessionRow): Promise<void> => {
  const { id, counter, refreshedAt, recentRotations, userAgent, ip } = session
  await db
    .updateTable('sessions')
    .set({ counter, refreshedAt, recentRotations: JSON.stringify(recentRotations), userAgent, ip })
    .where('id', '=', id)
    .execute()
}

/** Stores that a session was verified with a second factor, and its new token counter. */
export const elevate = async (db: Db<Database>, session: SessionRow): Promise<void> => {
  const { id, counter, refreshedAt, factorId, factorMethod, factorVerifiedAt } = session
  await db
    .updateTable('sessions')
    .set({ counter, refreshedAt, recentRotations: '[]', factorId, factorMethod, factorVerifiedAt })
    .where('id', '=', id)
    .execute()
}

/** Returns the sessions that were verified with one of these factors to `aal1`, and which they are. */
export const downgrade = (
  db: Db<Database>,
  userId: string,
  factorIds: readonly string[],
): Promise<Pick<SessionRow, 'id' | 'counter'>[]> =>
  db
    .updateTable('sessions')
    .set({ factorId: null, factorMethod: null, factorVerifiedAt: null })
    .where('userId', '=', userId)
    .where('factorId', 'in', factorIds)
    .returning(['id', 'counter'])
    .execute()

/** Deletes the chosen sessions and returns their ids. */
export const remove = async (db: Db<Database>, userId: string, choice: SessionChoice): Promise<string[]> => {
  const all = db.deleteFrom('sessions').where('userId', '=', userId)
  const chosen =
    choice === 'all'
      ? all
      : 'only' in choice
        ? all.where('id', '=', choice.only)
        : 'allBut' in choice
          ? all.where('id', '!=', choice.allBut)
          : 'startedUntil' in choice
            ? all.where('createdAt', '<=', choice.startedUntil)
            : 'withoutFactorBut' in choice
              ? all
                  .where('id', '!=', choice.withoutFactorBut)
                  .where('factorVerifiedAt', 'is', null)
                  .where('method', '!=', 'device')
              : all.where('id', 'in', leastRecentlyUsed(db, userId, choice))
  const rows = await chosen.returning('id').execute()
  return rows.map((row) => row.id)
}

/** The next users that have a session or a personal access token, in the order of their ids. */
export const usersAfter = async (
  db: Db<Database>,
  after: string | undefined,
  limit: number,
): Promise<string[]> => {
  const users = (table: 'sessions' | 'personalTokens') => {
    const query = db.selectFrom(table).select('userId').distinct().orderBy('userId').limit(limit)
    return after === undefined ? query : query.where('userId', '>', after)
  }
  const found = [...(await users('sessions').execute()), ...(await users('personalTokens').execute())]
  return [...new Set(found.map(({ userId }) => userId))].sort().slice(0, limit)
}

/** A session that has not ended, without a lock. */
export const byId = (db: Db<Database>, id: string): Promise<SessionRow | undefined> =>
  db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()

/** Most recently used first, at most 100. */
export const listOf = (db: Db<Database>, userId: string): Promise<SessionRow[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('refreshedAt', 'desc')
    .limit(100)
    .execute()

/** Stores why sessions ended, until the last of their access tokens has expired. */
export const addRevoked = async (
  db: Db<Database>,
  userId: string,
  ids: readonly string[],
  details: { reason: RevokeReason; until: Date; revokedAt: Date },
): Promise<void> => {
  await db
    .insertInto('revokedSessions')
    .values(ids.map((id) => ({ id, userId, ...details })))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Raises the lowest generation of the access tokens of these sessions, which stays if it is higher already. */
export const addOutdated = async (
  db: Db<Database>,
  sessions: readonly OutdatedSession[],
  until: Date,
): Promise<void> => {
  await db
    .insertInto('outdatedSessions')
    .values(sessions.map((session) => ({ ...session, until })))
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ minGeneration: (eb) => eb.ref('excluded.minGeneration'), until })
        .whereRef('outdatedSessions.minGeneration', '<', 'excluded.minGeneration'),
    )
    .execute()
}

/** Whose session has ended, and why; undefined when that is no longer stored. */
export const revokedById = (db: Db<Database>, id: string) =>
  db.selectFrom('revokedSessions').select(['userId', 'reason']).where('id', '=', id).executeTakeFirst()

const leastRecentlyUsed = (db: Db<Database>, userId: string, { but, keep }: { but: string; keep: number }) =>
  db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '!=', but)
    .orderBy('refreshedAt', 'desc')
    .orderBy('id', 'desc')
    .offset(keep)
