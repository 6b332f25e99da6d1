import type { RestrictionType } from '@looptide/contracts/common'
import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** A restriction of a deleted account, by a keyed digest of its mailbox. */
export type KeptRow = Selectable<Database['keptRestrictions']>

/** What is kept under any of these digests at `now`. */
export function findKept(db: Db<Database>, digests: readonly Buffer[], now: Date): Promise<KeptRow[]> {
  return db
    .selectFrom('keptRestrictions')
    .selectAll()
    .where('addressDigest', 'in', digests)
    .where('keptUntil', '>', now)
    .execute()
}

/** Deletes the copy of the restriction of this type that was set at `createdAt`. */
export async function deleteKept(
  db: Db<Database>,
  digests: readonly Buffer[],
  { restrictionType, createdAt }: { restrictionType: RestrictionType; createdAt: Date },
): Promise<void> {
  await db
    .deleteFrom('keptRestrictions')
    .where('addressDigest', 'in', digests)
    .where('restrictionType', '=', restrictionType)
    // Not a restriction that was set on another account whose email differs only in a `+tag`.
    .where('createdAt', '=', createdAt)
    .execute()
}

/** Stores a restriction, unless one of the same type that lasts as long is kept. */
export async function upsertKept(
  db: Db<Database>,
  row: Insertable<Database['keptRestrictions']>,
): Promise<void> {
  const { addressDigest: _digest, restrictionType: _type, ...values } = row
  const isShorter = sql<boolean>`kept_restrictions.expires_at is not null
      and (excluded.expires_at is null or excluded.expires_at > kept_restrictions.expires_at)`
  await db
    .insertInto('keptRestrictions')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['addressDigest', 'restrictionType']).doUpdateSet(values).where(isShorter),
    )
    .execute()
}
