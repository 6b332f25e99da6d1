import { STAFF_ROLES } from '@looptide/contracts/permissions'
import type { Db } from '@looptide/service-kit/db/db'
import { handleSkeleton } from '@looptide/service-kit/text/look-alike'
import type { Selectable, Updateable } from 'kysely'
import type { Database } from '../../db/schema.ts'

export type ProfileRow = Selectable<Database['profiles']>

/** Undefined when the handle or a look-alike of it is taken. */
export const insert = (
  db: Db<Database>,
  row: { userId: string; handle: string; createdAt: Date; updatedAt: Date },
): Promise<ProfileRow | undefined> =>
  db
    .insertInto('profiles')
    .values({ ...row, handleSkeleton: handleSkeleton(row.handle), artistName: null, avatarUrl: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

/** The profile of a user, anonymous ones included. */
export const byId = (db: Db<Database>, userId: string): Promise<ProfileRow | undefined> =>
  db.selectFrom('profiles').selectAll().where('userId', '=', userId).executeTakeFirst()

/** The profiles of those of these users who exist, in no particular order. */
export const byIds = (db: Db<Database>, userIds: readonly string[]): Promise<ProfileRow[]> =>
  userIds.length === 0
    ? Promise.resolve([])
    : db.selectFrom('profiles').selectAll().where('userId', 'in', userIds).execute()

/** The profile with this handle, without regard to case. */
export const byHandle = (db: Db<Database>, handle: string): Promise<ProfileRow | undefined> =>
  db.selectFrom('profiles').selectAll().where('handleKey', '=', handle.toLowerCase()).executeTakeFirst()

/**
 * Finds a profile whose handle equals or resembles `name`, except that of the user `except`. `name` need not be a valid
 * handle. Two queries, because each condition has its own index.
 */
export const findLookAlike = async (
  db: Db<Database>,
  name: string,
  except: string | null = null,
): Promise<ProfileRow | undefined> => {
  const others = db.selectFrom('profiles').selectAll().limit(1).where('userId', 'is distinct from', except)
  return (
    (await others.where('handleKey', '=', name.toLowerCase()).executeTakeFirst()) ??
    (await others.where('handleSkeleton', '=', handleSkeleton(name)).executeTakeFirst())
  )
}

/** Handles and display names of all users with a role except the user `except`. */
export const staffNames = async (db: Db<Database>, except: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('userRoles')
    .innerJoin('profiles', 'profiles.userId', 'userRoles.userId')
    .select(['profiles.handle', 'profiles.artistName'])
    .where('userRoles.role', 'in', STAFF_ROLES)
    .where('userRoles.userId', '!=', except)
    .limit(limit)
    .execute()
  return rows.flatMap(({ handle, artistName }) => (artistName === null ? [handle] : [handle, artistName]))
}

/** Updates a profile. Throws a unique violation when the handle or a look-alike of it is taken. */
export const update = (
  db: Db<Database>,
  userId: string,
  change: Omit<Updateable<Database['profiles']>, 'handleSkeleton'>,
): Promise<ProfileRow | undefined> => {
  const { handle } = change
  const skeleton = handle === undefined ? {} : { handleSkeleton: handleSkeleton(handle) }
  return db
    .updateTable('profiles')
    .set({ ...change, ...skeleton })
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()
}

/** Undefined when the handle is taken. Unlike after {@link update}, the transaction can continue. */
export const rename = async (
  db: Db<Database>,
  userId: string,
  handle: string,
  now: Date,
): Promise<ProfileRow | undefined> => {
  if ((await findLookAlike(db, handle)) !== undefined) return undefined
  return update(db, userId, { handle, updatedAt: now })
}
