import type { Db } from '@looptide/service-kit/db/db'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** A network from which a user signed in; `networkDigest` is keyed. */
export type NetworkRow = Selectable<Database['accountNetworks']>

/** Up to `limit` networks of the user with this email that were used after `usedAfter`. */
export function findNetworksOfEmail(
  db: Db<Database>,
  email: string,
  { usedAfter, limit }: { usedAfter: Date; limit: number },
): Promise<Pick<NetworkRow, 'userId' | 'networkDigest'>[]> {
  return db
    .selectFrom('accountNetworks')
    .innerJoin('users', 'users.id', 'accountNetworks.userId')
    .select(['accountNetworks.userId', 'accountNetworks.networkDigest'])
    .where('users.email', '=', email)
    .where('accountNetworks.lastUsedAt', '>', usedAfter)
    .limit(limit)
    .execute()
}

/** The networks of these users that were used after `usedAfter`. One statement, also for no users. */
export function findNetworksOf(
  db: Db<Database>,
  userIds: readonly string[],
  usedAfter: Date,
): Promise<NetworkRow[]> {
  return db
    .selectFrom('accountNetworks')
    .selectAll()
    .where('userId', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .where('lastUsedAt', '>', usedAfter)
    .execute()
}

/** Stores the use of a network, unless one after `staleBefore` is stored. Returns whether it wrote. */
export async function upsertNetwork(
  db: Db<Database>,
  row: Pick<NetworkRow, 'userId' | 'networkDigest' | 'lastUsedAt'>,
  staleBefore: Date,
): Promise<boolean> {
  const written = await db
    .insertInto('accountNetworks')
    .values({ ...row, wrongCodesSince: null })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'networkDigest'])
        .doUpdateSet({ lastUsedAt: row.lastUsedAt })
        .where('accountNetworks.lastUsedAt', '<', staleBefore),
    )
    .returning('userId')
    .executeTakeFirst()
  return written !== undefined
}

/** Deletes a user's networks except the `kept` most recently used. */
export async function trimNetworks(db: Db<Database>, userId: string, kept: number): Promise<void> {
  const surplus = db
    .selectFrom('accountNetworks')
    .select('networkDigest')
    .where('userId', '=', userId)
    .orderBy('lastUsedAt', 'desc')
    .offset(kept)
  await db
    .deleteFrom('accountNetworks')
    .where('userId', '=', userId)
    .where('networkDigest', 'in', surplus)
    .execute()
}
