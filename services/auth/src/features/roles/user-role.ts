import type { Role } from '@looptide/contracts/common'
import type { Db } from '@looptide/service-kit/db/db'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** The role of a user. Users without a row have the role `user`. */
export async function roleOf(trx: Transaction<Database>, userId: string): Promise<Role> {
  const row = await trx
    .selectFrom('userRoles')
    .select('role')
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row?.role ?? 'user'
}

/** Whether a user has a role other than `user`, without locking it. */
export async function hasStaffRole(db: Db<Database>, userId: string): Promise<boolean> {
  const row = await db.selectFrom('userRoles').select('role').where('userId', '=', userId).executeTakeFirst()
  return row !== undefined && row.role !== 'user'
}

/** Stores the role and publishes the change, in the caller's transaction. */
export async function writeRole(
  trx: Transaction<Database>,
  change: { userId: string; role: Role; grantedBy: string | null; now: Date },
  cause: Cause,
): Promise<void> {
  const { userId, role, grantedBy, now } = change
  await trx
    .insertInto('userRoles')
    .values({ userId, role, grantedBy, updatedAt: now })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ role, grantedBy, updatedAt: now }))
    .execute()
  await appendEvent(trx, 'auth.role.changed.v1', userId, { userId, role }, cause)
}
