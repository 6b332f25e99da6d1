import type { Role } from '@looptide/contracts/common'
import type { Db } from '@looptide/service-kit/db/db'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** The role of a user, locked until the transaction ends. Users without a row have the role `user`. */
export async function roleOf(trx: Transaction<Database>, userId: string): Promise<Role> {
  const row = await trx
    .selectFrom('userRoles')
    .select('role')
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row?.role ?? 'user'
}

/** The role of a user, without a lock. */
export async function findRole(db: Db<Database>, userId: string): Promise<Role> {
  const row = await db.selectFrom('userRoles').select('role').where('userId', '=', userId).executeTakeFirst()
  return row?.role ?? 'user'
}

/** The roles of those of these users who have a row. */
export async function findRoles(db: Db<Database>, userIds: readonly string[]): Promise<Map<string, Role>> {
  const rows = await db
    .selectFrom('userRoles')
    .select(['userId', 'role'])
    .where('userId', 'in', userIds)
    .execute()
  return new Map(rows.map(({ userId, role }) => [userId, role]))
}

/** Stores the role of a user. `grantedBy` is null for the operator and the first start. */
export async function upsertRole(
  trx: Transaction<Database>,
  { userId, role, grantedBy, now }: { userId: string; role: Role; grantedBy: string | null; now: Date },
): Promise<void> {
  await trx
    .insertInto('userRoles')
    .values({ userId, role, grantedBy, updatedAt: now })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ role, grantedBy, updatedAt: now }))
    .execute()
}

/** Locks all admins in the order of their ids, so that two concurrent changes cannot remove the last two. */
export async function lockAdmins(trx: Transaction<Database>): Promise<string[]> {
  const rows = await trx
    .selectFrom('userRoles')
    .select('userId')
    .where('role', '=', 'admin')
    .orderBy('userId')
    .forUpdate()
    .execute()
  return rows.map((row) => row.userId)
}
