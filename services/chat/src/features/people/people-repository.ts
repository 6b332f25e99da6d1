import type { Db } from '@looptide/service-kit/db'
import { sql, type Transaction } from 'kysely'
import type { ChatDb } from '../../db/schema.ts'

interface KnownProfile {
  userId: string
  handle: string | null
  artistName: string | null
  /** `aggregateVersion` of the event; 0 when it was asked for. */
  version: number
}

/** Takes auth's word on a person, unless a newer one was heard. */
export async function projectProfile(db: Db<ChatDb>, profile: KnownProfile): Promise<void> {
  await db
    .insertInto('profiles')
    .values(profile)
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ handle: profile.handle, artistName: profile.artistName, version: profile.version })
        .where('profiles.version', '<', sql<number>`excluded.version`),
    )
    .execute()
}

export async function isKnown(db: Db<ChatDb>, userId: string): Promise<boolean> {
  const row = await db.selectFrom('profiles').select('userId').where('userId', '=', userId).executeTakeFirst()
  return row !== undefined
}

/** Somebody's name goes with the account; the row stays so that an older event cannot bring it back. */
export async function forgetPerson(trx: Transaction<ChatDb>, userId: string, version: number): Promise<void> {
  await projectProfile(trx, { userId, handle: null, artistName: null, version })
}

export async function addRestriction(
  trx: Transaction<ChatDb>,
  restriction: { id: string; userId: string; restrictionType: string; expiresAt: Date | null },
): Promise<void> {
  await trx
    .insertInto('restrictions')
    .values({ ...restriction, isLifted: false })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export async function liftRestriction(
  trx: Transaction<ChatDb>,
  restriction: { id: string; userId: string; restrictionType: string },
): Promise<void> {
  await trx
    .insertInto('restrictions')
    .values({ ...restriction, expiresAt: null, isLifted: true })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ isLifted: true }))
    .execute()
}
