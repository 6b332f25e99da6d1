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
