import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'

export type AvatarRow = Selectable<AuthDatabase['avatars']>

export const avatarRepository = {
  /** Stores a user's picture. It replaces the former one. */
  put: async (db: Db<AuthDatabase>, row: AvatarRow): Promise<void> => {
    const { userId: _userId, ...values } = row
    await db
      .insertInto('avatars')
      .values(row)
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
      .execute()
  },

  find: (
    db: Db<AuthDatabase>,
    userId: string,
    version: string,
  ): Promise<Pick<AvatarRow, 'contentType' | 'bytes'> | undefined> =>
    db
      .selectFrom('avatars')
      .select(['contentType', 'bytes'])
      .where('userId', '=', userId)
      .where('version', '=', version)
      .executeTakeFirst(),

  delete: async (db: Db<AuthDatabase>, userId: string): Promise<void> => {
    await db.deleteFrom('avatars').where('userId', '=', userId).execute()
  },
}
