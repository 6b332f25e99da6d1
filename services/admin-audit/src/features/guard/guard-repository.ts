import type { Db } from '@looptide/service-kit/db'
import { sql, type Transaction } from 'kysely'
import type { AdminAuditDb } from '../../db/schema.ts'

/** Held until the transaction ends: one guarded action of an admin is judged at a time, on every replica. */
export async function lockAdmin(trx: Transaction<AdminAuditDb>, adminUserId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('guard'), hashtext(${adminUserId}))`.execute(trx)
}

/** How many grants the admin has had since then, and when the `nth` newest of them was. */
export async function countGrants(
  trx: Transaction<AdminAuditDb>,
  adminUserId: string,
  since: Date,
  nth: number,
): Promise<{ used: number; nthAt: Date | null }> {
  const { rows } = await sql<{ used: number; nthAt: Date | null }>`
    with recent as (
      select granted_at from guard_grants
      where admin_user_id = ${adminUserId} and granted_at > ${since}
    )
    select (select count(*)::int from recent) as used,
      (select granted_at from recent order by granted_at desc offset ${nth - 1} limit 1) as nth_at`.execute(
    trx,
  )
  return rows[0] ?? { used: 0, nthAt: null }
}

export async function insertGrant(
  trx: Transaction<AdminAuditDb>,
  grant: { adminUserId: string; action: string; targetUserId: string | null; grantedAt: Date },
): Promise<void> {
  await trx.insertInto('guardGrants').values(grant).execute()
}

/** True for the first to mark `key`; false for all others until that time has come. */
export async function markUntil(
  trx: Transaction<AdminAuditDb>,
  key: string,
  now: Date,
  until: Date,
): Promise<boolean> {
  const marked = await trx
    .insertInto('securityMarks')
    .values({ key, until })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ until }).where('securityMarks.until', '<', now),
    )
    .returning('key')
    .executeTakeFirst()
  return marked !== undefined
}

/** Counts one more refused attempt of the user in that hour, and answers how many there are now. */
export async function countAttempt(
  trx: Transaction<AdminAuditDb>,
  userId: string,
  hour: Date,
): Promise<number> {
  const { attempts } = await trx
    .insertInto('refusedAttempts')
    .values({ userId, hour, attempts: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'hour'])
        .doUpdateSet((update) => ({ attempts: update('refusedAttempts.attempts', '+', 1) })),
    )
    .returning('attempts')
    .executeTakeFirstOrThrow()
  return attempts
}

/** Forgets grants, counts and marks that count for nothing any more. */
export async function pruneGuard(db: Db<AdminAuditDb>, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - 2 * 3_600_000)
  await db.deleteFrom('guardGrants').where('grantedAt', '<', longAgo).execute()
  await db.deleteFrom('refusedAttempts').where('hour', '<', longAgo).execute()
  await db.deleteFrom('securityMarks').where('until', '<', now).execute()
}
