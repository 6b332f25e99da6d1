import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { readAccess } from './access-repository.ts'

interface AccessDeps {
  db: Kysely<Database>
  staffNeedsFactor: boolean
  now: () => number
}

/** What other processes need to verify tokens on their own. */
export async function accessSnapshot({ db, staffNeedsFactor, now }: AccessDeps) {
  const { revoked, outdated, roles, keys } = await readAccess(db, new Date(now()))
  return {
    revokedSessions: revoked.map(({ id, until }) => ({ id, untilMs: until.getTime() })),
    outdatedSessions: outdated.map(({ until, ...session }) => ({ ...session, untilMs: until.getTime() })),
    revokedKeys: keys.map(({ kid, until }) => ({ kid, untilMs: until.getTime() })),
    roles,
    staffNeedsFactor,
  }
}
