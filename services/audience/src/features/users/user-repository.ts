import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, sql, type Transaction } from 'kysely'
import type { Database, RestrictedUsersTable } from '../../db/schema.ts'

interface ProfileProjection {
  userId: string
  handle: string | null
  /** When the account was created; null if the event does not say. */
  registeredAt: Date | null
  /** `aggregateVersion` of the event; 0 for a profile fetched from auth. */
  version: number
}

/** Applies a user's profile unless a newer version has been applied. The time of registration is kept once it is known. */
export async function projectProfile(db: Db<Database>, profile: ProfileProjection): Promise<void> {
  await sql`
    insert into profiles as known (user_id, handle, registered_at, version)
    values (${profile.userId}, ${profile.handle}, ${profile.registeredAt}, ${profile.version})
    on conflict (user_id) do update set
      handle = case when known.version < excluded.version then excluded.handle else known.handle end,
      registered_at = coalesce(known.registered_at, excluded.registered_at),
      version = greatest(known.version, excluded.version)`.execute(db)
}

/** Whether others see who has made a user's requests. */
export async function showsRequests(db: Db<Database>, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('profiles')
    .select('showsRequests')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.showsRequests ?? true
}

/** Sets whether others see who has made a user's requests. Nothing happens for a user without a row. */
export async function setShowsRequests(db: Db<Database>, userId: string, shows: boolean): Promise<void> {
  await db.updateTable('profiles').set({ showsRequests: shows }).where('userId', '=', userId).execute()
}

/** When an account was created; undefined if it is not known. */
export async function findRegisteredAt(db: Db<Database>, userId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('profiles')
    .select('registeredAt')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.registeredAt ?? undefined
}

/** The columns that count attempts of each kind. */
const ATTEMPTS = {
  request: { count: sql.ref('attempts'), since: sql.ref('attempts_since') },
  like: { count: sql.ref('like_attempts'), since: sql.ref('like_attempts_since') },
  pollVote: { count: sql.ref('poll_attempts'), since: sql.ref('poll_attempts_since') },
  reminder: { count: sql.ref('reminder_attempts'), since: sql.ref('reminder_attempts_since') },
} as const
export type AttemptKind = keyof typeof ATTEMPTS

/**
 * Counts an attempt of a user within `windowMs` after the first one of its kind. Returns the number of attempts, and when
 * the next window begins. Zero for a user without a row.
 */
export async function countAttempt(
  db: Db<Database>,
  userId: string,
  { kind, now, windowMs }: { kind: AttemptKind; now: Date; windowMs: number },
): Promise<{ attempts: number; until: Date }> {
  const opened = new Date(now.getTime() - windowMs)
  const { count, since } = ATTEMPTS[kind]
  const { rows } = await sql<{ attempts: number; since: Date }>`
    update profiles set
      ${count} = case when ${since} > ${opened} then ${count} + 1 else 1 end,
      ${since} = case when ${since} > ${opened} then ${since} else ${now}::timestamptz end
    where user_id = ${userId}
    returning ${count} as attempts, ${since} as since`.execute(db)
  const { attempts, since: openedAt } = rows[0] ?? { attempts: 0, since: now }
  return { attempts, until: new Date(openedAt.getTime() + windowMs) }
}

/** Locks a user's row until the transaction ends, so that their requests are counted one after another. */
export async function lockProfile(trx: Transaction<Database>, userId: string): Promise<void> {
  await trx.selectFrom('profiles').select('userId').where('userId', '=', userId).forUpdate().execute()
}

const inForce = (db: Db<Database>, userId: string, now: Date) =>
  db
    .selectFrom('restrictedUsers')
    .select('restrictionId')
    .where('userId', '=', userId)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .limit(1)

/** Whether the user is `restricted` at `now`, according to the copy of auth's restrictions. */
export async function isRestricted(db: Db<Database>, userId: string, now: Date): Promise<boolean> {
  const row = await inForce(db, userId, now).where('restrictionType', '=', 'restricted').executeTakeFirst()
  return row !== undefined
}

/** Whether the user may write in the chat at `now`: every restriction forbids it, also a ban. */
export async function mayChat(db: Db<Database>, userId: string, now: Date): Promise<boolean> {
  return (await inForce(db, userId, now).executeTakeFirst()) === undefined
}

/** Stores a restriction; one that is stored already is left as it is. */
export async function insertRestriction(
  db: Db<Database>,
  restriction: Insertable<RestrictedUsersTable>,
): Promise<void> {
  await db
    .insertInto('restrictedUsers')
    .values(restriction)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes a restriction that was lifted. */
export async function deleteRestriction(db: Db<Database>, restrictionId: string): Promise<void> {
  await db.deleteFrom('restrictedUsers').where('restrictionId', '=', restrictionId).execute()
}

/** Deletes restrictions that expired before `before`, in batches. */
export async function deleteExpiredRestrictions(db: Db<Database>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from restricted_users where restriction_id = any(array(
      select restriction_id from restricted_users where expires_at < ${before} limit ${limit}))`.execute(db),
  )
}
