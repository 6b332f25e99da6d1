import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { Database } from '../../db/schema.ts'

export type AvatarRow = Selectable<Database['avatars']>

/** Stores a user's picture. It replaces the former one. */
export const put = async (db: Db<Database>, row: AvatarRow): Promise<void> => {
  const { userId: _userId, ...values } = row
  await db
    .insertInto('avatars')
    .values(row)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
    .execute()
}

/** A user's picture. */
export const of = (db: Db<Database>, userId: string): Promise<AvatarRow | undefined> =>
  db.selectFrom('avatars').selectAll().where('userId', '=', userId).executeTakeFirst()

/** A user's picture if it is still this version. */
export const find = (
  db: Db<Database>,
  userId: string,
  version: string,
): Promise<Pick<AvatarRow, 'contentType' | 'bytes'> | undefined> =>
  db
    .selectFrom('avatars')
    .select(['contentType', 'bytes'])
    .where('userId', '=', userId)
    .where('version', '=', version)
    .executeTakeFirst()

/** Deletes a user's picture, if there is one. */
export const remove = async (db: Db<Database>, userId: string): Promise<void> => {
  await db.deleteFrom('avatars').where('userId', '=', userId).execute()
}
