import { REVERSIBLE_ACTIONS } from '@looptide/contracts/guarded-actions'
import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** Serialises guarded actions of an admin across replicas until the transaction ends. */
export async function lockGuardOf(trx: Transaction<Database>, adminUserId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('guard'), hashtext(${adminUserId}))`.execute(trx)
}

/** The number of the admin's grants of reversible or of other actions since `since`, and the time of the `nth` newest one. */
export async function countGrants(
  trx: Transaction<Database>,
  { adminUserId, isReversible }: { adminUserId: string; isReversible: boolean },
  since: Date,
  nth: number,
): Promise<{ used: number; nthAt: Date | null }> {
  const { rows } = await sql<{ used: number; nthAt: Date | null }>`
    with recent as (
      select granted_at from guard_grants
      where admin_user_id = ${adminUserId} and granted_at > ${since}
        and (action = any(${[...REVERSIBLE_ACTIONS]})) = ${isReversible}
    )
    select (select count(*)::int from recent) as used,
      (select granted_at from recent order by granted_at desc offset ${nth - 1} limit 1) as nth_at`.execute(
    trx,
  )
  return rows[0] ?? { used: 0, nthAt: null }
}

/** Records an allowed action. */
export async function insertGrant(
  trx: Transaction<Database>,
  grant: { adminUserId: string; action: string; targetUserId: string | null; grantedAt: Date },
): Promise<void> {
  await trx.insertInto('guardGrants').values(grant).execute()
}

/** Claims `key` until the given time. Returns true for the first caller and false for others until then. */
export async function claimUntil(
  trx: Transaction<Database>,
  key: string,
  now: Date,
  until: Date,
): Promise<boolean> {
  const claimed = await trx
    .insertInto('securityMarks')
    .values({ key, until })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ until }).where('securityMarks.until', '<', now),
    )
    .returning('key')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Increments the user's refused attempts in that hour and returns the new number. */
export async function countAttempt(trx: Transaction<Database>, userId: string, hour: Date): Promise<number> {
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

/** Increments the refused attempts of a network's anonymous users in that hour and returns the new number. */
export async function countNetworkAttempt(
  trx: Transaction<Database>,
  network: string,
  hour: Date,
): Promise<number> {
  const { attempts } = await trx
    .insertInto('refusedAttemptsOfNetworks')
    .values({ network, hour, attempts: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'hour'])
        .doUpdateSet((update) => ({ attempts: update('refusedAttemptsOfNetworks.attempts', '+', 1) })),
    )
    .returning('attempts')
    .executeTakeFirstOrThrow()
  return attempts
}

/** Deletes expired grants, attempt counts and claims. */
export async function pruneGuard(db: Db<Database>, now: Date): Promise<void> {
  const expiredBefore = new Date(now.getTime() - 2 * 3_600_000)
  await db.deleteFrom('guardGrants').where('grantedAt', '<', expiredBefore).execute()
  await db.deleteFrom('refusedAttempts').where('hour', '<', expiredBefore).execute()
  await db.deleteFrom('refusedAttemptsOfNetworks').where('hour', '<', expiredBefore).execute()
  await db.deleteFrom('securityMarks').where('until', '<', now).execute()
}
