import {
  authAccountExport,
  authEmailChangeCancel,
  authHandleCheck,
  authMeDelete,
  authMeIsAdmin,
  authMeRead,
  authProfileList,
  authProfileLookUp,
  authProfileRead,
  authProfileReadByHandle,
  authProfileUpdate,
  authSessionEnd,
  authSessionList,
} from '@looptide/contracts/operations/auth/accounts'
import { toPage } from '@looptide/service-kit/http/cursor'
import { errors } from '@looptide/service-kit/http/errors'
import { shownNetworkOf } from '@looptide/service-kit/limits/client-network'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import { presentProfile } from '../profile/new-profile.ts'
import * as profileRepository from '../profile/profile-repository.ts'
import { clientOf } from '../session/client-of.ts'
import { deviceName } from '../session/device-name.ts'
import * as sessionRepository from '../session/session-repository.ts'
import { collectAccount } from './collect-account.ts'
import { type DeleteAccountDeps, deleteAccount } from './delete-account.ts'
import type { EmailChangeService } from './email-change-service.ts'
import { readProfileQuery } from './profile-search.ts'
import type { UserService } from './user-service.ts'

interface AccountDeps extends DeleteAccountDeps {
  users: UserService
  limits: RateLimits
  emailChanges: EmailChangeService
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Routes of the caller's own account and sessions. */
export const accountRoutes = (deps: AccountDeps): Route[] => [
  route(authMeIsAdmin, ({ user }) => ({ isAdmin: user?.role === 'admin' })),
  route(authMeRead, ({ user }) => deps.users.me(user)),
  route(authMeDelete, async ({ user, request, cause, body }) => {
    await deps.limits.consume(['update-account', user.id])
    await deleteAccount(deps, user, body, { ...clientOf(request), cause })
  }),
  route(authEmailChangeCancel, ({ user }) => deps.emailChanges.cancel(user.id)),
  route(authSessionList, async ({ user }) => {
    const rows = await sessionRepository.listOf(deps.db, user.id)
    return { items: rows.map((row) => presentSession(row, user.sessionId)) }
  }),
  route(authSessionEnd, async ({ user: { id }, params: { sessionId }, cause }) => {
    if ((await sessionRepository.find(deps.db, sessionId, id)) === undefined)
      throw errors.notFound('This session')
    await deps.sessions.signOut(id, { only: sessionId }, cause)
  }),
]

/** Routes of profiles and handles. */
export const profileRoutes = ({ db, users, limits }: AccountDeps): Route[] => [
  route(authProfileRead, ({ params }) => users.profile(params.id)),
  route(authProfileReadByHandle, ({ params }) => users.profileByHandle(params.handle)),
  route(authProfileList, async ({ query }) => {
    const list = readProfileQuery(query)
    return toPage(await users.profiles(list), list.limit, presentProfile, (row) => [row.handleKey])
  }),
  route(authProfileLookUp, async ({ query }) => {
    const ids = query.ids.split(',').filter((id) => UUID.test(id))
    return { items: (await profileRepository.byIds(db, ids)).map(presentProfile) }
  }),
  route(authProfileUpdate, async ({ user, params, body, cause }) => {
    if (params.id !== user.id) throw errors.notAllowed('You may only change your own profile.')
    await limits.consume(['update-account', user.id])
    return users.updateProfile(user, body, cause)
  }),
  route(authHandleCheck, async ({ params: { handle }, user }) => ({
    handle,
    available: await users.isHandleFree(handle, user),
  })),
]

type SessionRow = Awaited<ReturnType<typeof sessionRepository.listOf>>[number]

const presentSession = (
  { id, method, deviceName: name, userAgent, ip, createdAt, refreshedAt }: SessionRow,
  currentId: string,
) => ({
  id,
  current: id === currentId,
  paired: method === 'device',
  device: name ?? deviceName(userAgent),
  network: ip === null ? null : shownNetworkOf(ip),
  createdAt: createdAt.toISOString(),
  refreshedAt: refreshedAt.toISOString(),
})

/** Routes of the export of what a user has stored. */
export const exportRoutes = ({ db }: { db: Kysely<Database> }): Route[] => [
  route(authAccountExport, async ({ user }) => {
    const account = await collectAccount(db, user.id)
    if (account === undefined) throw errors.notFound('This account')
    return account
  }),
]
