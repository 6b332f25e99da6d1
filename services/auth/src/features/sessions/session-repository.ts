import type { Db } from '@looptide/service-kit/db'
import type { Selectable } from 'kysely'
import type { AuthDatabase, SessionsTable } from '../../db/schema.ts'

export type SessionRow = Selectable<SessionsTable>
export type RevokeReason = AuthDatabase['revokedSessions']['reason']
/** Which of a person's sessions. */
export type SessionChoice = { only: string } | { allBut: string } | 'all'

export const sessionRepository = {
  insert: async (db: Db<AuthDatabase>, row: SessionRow): Promise<void> => {
    await db.insertInto('sessions').values(row).execute()
  },

  lock: (db: Db<AuthDatabase>, id: string): Promise<SessionRow | undefined> =>
    db.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst(),

  exists: async (db: Db<AuthDatabase>, id: string, userId: string): Promise<boolean> => {
    const row = await db
      .selectFrom('sessions')
      .select('id')
      .where('id', '=', id)
      .where('userId', '=', userId)
      .executeTakeFirst()
    return row !== undefined
  },

  rotate: async (db: Db<AuthDatabase>, id: string, counter: number, refreshedAt: Date): Promise<void> => {
    await db.updateTable('sessions').set({ counter, refreshedAt }).where('id', '=', id).execute()
  },

  /** Deletes and answers the ids of what was deleted. */
  delete: async (db: Db<AuthDatabase>, userId: string, choice: SessionChoice): Promise<string[]> => {
    let query = db.deleteFrom('sessions').where('userId', '=', userId)
    if (choice !== 'all') {
      query = 'only' in choice ? query.where('id', '=', choice.only) : query.where('id', '!=', choice.allBut)
    }
    const rows = await query.returning('id').execute()
    return rows.map((row) => row.id)
  },

  /** The newest first, at most 100. */
  listOf: (db: Db<AuthDatabase>, userId: string): Promise<SessionRow[]> =>
    db
      .selectFrom('sessions')
      .selectAll()
      .where('userId', '=', userId)
      .orderBy('refreshedAt', 'desc')
      .limit(100)
      .execute(),

  addRevoked: async (
    db: Db<AuthDatabase>,
    userId: string,
    ids: readonly string[],
    facts: { reason: RevokeReason; until: Date; revokedAt: Date },
  ): Promise<void> => {
    await db
      .insertInto('revokedSessions')
      .values(ids.map((id) => ({ id, userId, ...facts })))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  },

  revokedById: (db: Db<AuthDatabase>, id: string) =>
    db.selectFrom('revokedSessions').select(['userId', 'reason']).where('id', '=', id).executeTakeFirst(),
}
