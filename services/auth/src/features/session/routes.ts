import { authSignInList } from '@looptide/contracts/operations/auth/accounts'
import { authAccessRead } from '@looptide/contracts/operations/auth/users'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { AppError } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { readAccess } from './access-repository.ts'
import type { SignInHistory } from './sign-in-history.ts'
import type { SignInRow } from './sign-in-repository.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const presentSignIn = ({ userId: _, createdAt, ...row }: SignInRow) => ({
  ...row,
  createdAt: createdAt.toISOString(),
})

/** The id of the last row of the previous page. */
function readCursor(cursor: string): string {
  const [id] = decodeCursor(cursor, ['string'])
  if (!UUID.test(id)) throw new AppError('invalid_cursor', 'The cursor is invalid.')
  return id
}

/** Routes of the history of sign-ins. */
export const signInRoutes = ({ signIns }: { signIns: SignInHistory }): Route[] => [
  route(authSignInList, async ({ query, user }) => {
    const { limit = 100, cursor } = query
    const after = cursor === undefined ? undefined : readCursor(cursor)
    const rows = await signIns.list(user.id, { after, limit })
    return toPage(rows, limit, presentSignIn, (row) => [row.id])
  }),
]

interface AccessDeps {
  db: Kysely<Database>
  staffNeedsFactor: boolean
  now: () => number
}

/** What other processes need to verify tokens on their own. */
async function accessSnapshot({ db, staffNeedsFactor, now }: AccessDeps) {
  const { revoked, outdated, roles, keys } = await readAccess(db, new Date(now()))
  return {
    revokedSessions: revoked.map(({ id, until }) => ({ id, untilMs: until.getTime() })),
    outdatedSessions: outdated.map(({ until, ...session }) => ({ ...session, untilMs: until.getTime() })),
    revokedKeys: keys.map(({ kid, until }) => ({ kid, untilMs: until.getTime() })),
    roles,
    staffNeedsFactor,
  }
}

/** The route of what other processes need to verify tokens. */
export const accessRoutes = (deps: AccessDeps): Route[] => [route(authAccessRead, () => accessSnapshot(deps))]
