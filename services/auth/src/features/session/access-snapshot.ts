import { STAFF_ROLES } from '@looptide/contracts/permissions'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** Far more than are revoked within a token's lifetime. If there are more, the newest are returned. */
const MAX_REVOKED = 200_000
const MAX_ROLES = 100_000
const MAX_REVOKED_KEYS = 1000

interface AccessDeps {
  db: Kysely<Database>
  staffNeedsFactor: boolean
  now: () => number
}

/** What other processes need to verify tokens on their own. */
export async function accessSnapshot({ db, staffNeedsFactor, now }: AccessDeps) {
  const revoked = await db
    .selectFrom('revokedSessions')
    .select(['id', 'until'])
    .where('until', '>', new Date(now()))
    .orderBy('until', 'desc')
    .limit(MAX_REVOKED)
    .execute()
  const outdated = await db
    .selectFrom('outdatedSessions')
    .selectAll()
    .where('until', '>', new Date(now()))
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
    .where('until', '>', new Date(now()))
    .orderBy('until', 'desc')
    .limit(MAX_REVOKED_KEYS)
    .execute()
  return {
    revokedSessions: revoked.map(({ id, until }) => ({ id, untilMs: until.getTime() })),
    outdatedSessions: outdated.map(({ until, ...session }) => ({ ...session, untilMs: until.getTime() })),
    revokedKeys: keys.map(({ kid, until }) => ({ kid, untilMs: until.getTime() })),
    roles,
    staffNeedsFactor,
  }
}
