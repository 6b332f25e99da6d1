import type { Db } from '@looptide/service-kit/db'
import type { Selectable } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'

export type AvatarRow = Selectable<AuthDatabase['avatars']>

export const avatarRepository = {
  /** One picture a person: a later one takes its place. */
  put: async (db: Db<AuthDatabase>, row: AvatarRow): Promise<void> => {
    const { userId: _userId, ...fresh } = row
    await db
      .insertInto('avatars')
      .values(row)
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(fresh))
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
