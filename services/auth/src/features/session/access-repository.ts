import { STAFF_ROLES } from '@looptide/contracts/permissions'
import type { Db } from '@looptide/service-kit/db/db'
import type { Database } from '../../db/schema.ts'

/** Far more than are revoked within a token's lifetime. If there are more, the newest are returned. */
const MAX_REVOKED = 200_000
const MAX_ROLES = 100_000
const MAX_REVOKED_KEYS = 1000

/** Sessions and keys whose tokens are refused at `now`, and the roles of the staff. */
export async function readAccess(db: Db<Database>, now: Date) {
  const revoked = await db
    .selectFrom('revokedSessions')
    .select(['id', 'until'])
    .where('until', '>', now)
    .orderBy('until', 'desc')
    .limit(MAX_REVOKED)
    .execute()
  const outdated = await db
    .selectFrom('outdatedSessions')
    .selectAll()
    .where('until', '>', now)
    .orderBy('until', 'desc')
    .limit(MAX_REVOKED)
    .execute()
  const roles = await db
    .selectFrom('userRoles')
    .select(['userId', 'role'])
    .where('role', 'in', STAFF_ROLES)
    .limit(MAX_ROLES)
    .execute()
  const keys = await db
    .selectFrom('revokedKeys')
    .select(['kid', 'until'])
    .where('until', '>', now)
    .orderBy('until', 'desc')
    .limit(MAX_REVOKED_KEYS)
    .execute()
  return { revoked, outdated, roles, keys }
}
