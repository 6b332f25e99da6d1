import {
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
import { authUserList, authUserSetRole } from '@looptide/contracts/operations/auth/users'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { errors } from '@looptide/service-kit/http/errors'
import { shownNetworkOf } from '@looptide/service-kit/limits/client-network'
import type { Guard } from '@looptide/service-kit/limits/guard'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { RateLimits } from '../../limits/rate-limits.ts'
import type { EmailChangeService } from '../accounts/email-change-service.ts'
import { presentProfile } from '../profiles/new-profile.ts'
import { profileRepository } from '../profiles/profile-repository.ts'
import type { RoleService } from '../roles/role-service.ts'
import { sessionRepository } from '../sessions/session-repository.ts'
import { clientOf } from '../sign-ins/client-of.ts'
import { deviceName } from '../sign-ins/device-name.ts'
import { type DeleteAccountDeps, deleteAccount } from './delete-account.ts'
import type { ProfileQuery } from './profile-search.ts'
import { presentAdminUser, type UserService } from './user-service.ts'

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
    const list = readListQuery(query)
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

interface UserDeps {
  users: UserService
  roles: RoleService
  guard: Guard
}

/** Routes of accounts and roles for admins. */
export const userRoutes = ({ users, guard, roles }: UserDeps): Route[] => [
  route(authUserList, async ({ query }) => {
    const list = readListQuery(query)
    const { rows, restrictions } = await users.adminUsers(list)
    return toPage(
      rows,
      list.limit,
      (row) => presentAdminUser(row, restrictions),
      (row) => [row.handleKey],
    )
  }),
  route(authUserSetRole, async ({ params: { id }, request, body, user, cause }) => {
    await guard.check(request, 'user.role.admin', id)
    await roles.set(id, body.role, user.id, cause)
    return users.adminUser(id)
  }),
]

type SessionRow = Awaited<ReturnType<typeof sessionRepository.listOf>>[number]

const presentSession = ({ id, userAgent, ip, createdAt, refreshedAt }: SessionRow, currentId: string) => ({
  id,
  current: id === currentId,
  device: deviceName(userAgent),
  network: ip === null ? null : shownNetworkOf(ip),
  createdAt: createdAt.toISOString(),
  refreshedAt: refreshedAt.toISOString(),
})

/** Reads the query of a list sorted by handle. Throws `invalid_cursor`. */
function readListQuery(query: { q?: string; limit?: number; cursor?: string }): ProfileQuery {
  const trimmed = query.q?.trim()
  return {
    q: trimmed === '' ? undefined : trimmed,
    after: query.cursor === undefined ? undefined : decodeCursor(query.cursor, ['string'])[0],
    limit: query.limit ?? 100,
  }
}
