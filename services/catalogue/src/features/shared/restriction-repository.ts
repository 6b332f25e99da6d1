import type { Queries } from '../../db/schema.ts'

/** Whether the user is `restricted` at `now`, according to the catalogue's copy of the auth service's restrictions. */
export async function isRestricted(db: Queries, userId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('restrictedUsers')
    .select('restrictionId')
    .where('userId', '=', userId)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores a restriction; one that is stored already is left as it is. */
export async function insertRestriction(
  db: Queries,
  restriction: { restrictionId: string; userId: string; expiresAt: Date | null },
): Promise<void> {
  await db
    .insertInto('restrictedUsers')
    .values(restriction)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes a restriction that was lifted. */
export async function deleteRestriction(db: Queries, restrictionId: string): Promise<void> {
  await db.deleteFrom('restrictedUsers').where('restrictionId', '=', restrictionId).execute()
}
