import type { Db } from '@looptide/service-kit/db'
import type { Selectable, Updateable } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'
import { handleSkeleton } from '../names/look-alike.ts'

export type ProfileRow = Selectable<AuthDatabase['profiles']>

export const profileRepository = {
  /** Undefined when the handle, or one that looks like it, is taken. */
  insert: (
    db: Db<AuthDatabase>,
    row: { userId: string; handle: string; createdAt: Date; updatedAt: Date },
  ): Promise<ProfileRow | undefined> =>
    db
      .insertInto('profiles')
      .values({ ...row, handleSkeleton: handleSkeleton(row.handle), artistName: null, avatarUrl: null })
      .onConflict((conflict) => conflict.doNothing())
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

  /**
   * Somebody with this handle or one that looks like it, `except` this person. `name` need not be a handle. Two
   * look-ups, since each has its own index.
   */
  looksLike: async (
    db: Db<AuthDatabase>,
    name: string,
    except: string | null = null,
  ): Promise<ProfileRow | undefined> => {
    const others = db.selectFrom('profiles').selectAll().limit(1).where('userId', 'is distinct from', except)
    return (
      (await others.where('handleKey', '=', name.toLowerCase()).executeTakeFirst()) ??
      (await others.where('handleSkeleton', '=', handleSkeleton(name)).executeTakeFirst())
    )
  },

  /** Handles and display names of moderators and admins, without those of `except`. */
  staffNames: async (db: Db<AuthDatabase>, except: string, limit: number): Promise<string[]> => {
    const rows = await db
      .selectFrom('userRoles')
      .innerJoin('profiles', 'profiles.userId', 'userRoles.userId')
      .select(['profiles.handle', 'profiles.artistName'])
      .where('userRoles.role', 'in', ['moderator', 'admin'])
      .where('userRoles.userId', '!=', except)
      .limit(limit)
      .execute()
    return rows.flatMap(({ handle, artistName }) => (artistName === null ? [handle] : [handle, artistName]))
  },

  /** A new handle; throws a unique violation when it, or one that looks like it, is taken. */
  update: (
    db: Db<AuthDatabase>,
    userId: string,
    change: Omit<Updateable<AuthDatabase['profiles']>, 'handleSkeleton'>,
  ): Promise<ProfileRow | undefined> => {
    const { handle } = change
    const skeleton = handle === undefined ? {} : { handleSkeleton: handleSkeleton(handle) }
    return db
      .updateTable('profiles')
      .set({ ...change, ...skeleton })
      .where('userId', '=', userId)
      .returningAll()
      .executeTakeFirst()
  },

  /** Undefined when the handle is taken; unlike after {@link update}, the transaction can go on. */
  rename: async (
    db: Db<AuthDatabase>,
    userId: string,
    handle: string,
    now: Date,
  ): Promise<ProfileRow | undefined> => {
    if ((await profileRepository.looksLike(db, handle)) !== undefined) return undefined
    return profileRepository.update(db, userId, { handle, updatedAt: now })
  },
}
