import type { Db } from '@looptide/service-kit/db'
import type { Selectable, Updateable } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'

export type ProfileRow = Selectable<AuthDatabase['profiles']>

export const profileRepository = {
  /** Undefined when the handle is taken. */
  insert: (
    db: Db<AuthDatabase>,
    row: { userId: string; handle: string; createdAt: Date; updatedAt: Date },
  ): Promise<ProfileRow | undefined> =>
    db
      .insertInto('profiles')
      .values({ ...row, artistName: null, avatarUrl: null })
      .onConflict((conflict) => conflict.column('handleKey').doNothing())
      .returningAll()
      .executeTakeFirst(),

  byId: (db: Db<AuthDatabase>, userId: string): Promise<ProfileRow | undefined> =>
    db.selectFrom('profiles').selectAll().where('userId', '=', userId).executeTakeFirst(),

  byIds: (db: Db<AuthDatabase>, userIds: readonly string[]): Promise<ProfileRow[]> =>
    userIds.length === 0
      ? Promise.resolve([])
      : db.selectFrom('profiles').selectAll().where('userId', 'in', userIds).execute(),

  byHandle: (db: Db<AuthDatabase>, handle: string): Promise<ProfileRow | undefined> =>
    db.selectFrom('profiles').selectAll().where('handleKey', '=', handle.toLowerCase()).executeTakeFirst(),

  update: (
    db: Db<AuthDatabase>,
    userId: string,
    change: Updateable<AuthDatabase['profiles']>,
  ): Promise<ProfileRow | undefined> =>
    db.updateTable('profiles').set(change).where('userId', '=', userId).returningAll().executeTakeFirst(),
}
