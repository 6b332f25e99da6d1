import {
  authUserEndAllSessions,
  authUserEndSessions,
  authUserList,
  authUserResetPassword,
  authUserRestrict,
  authUserSetRole,
  authUserUnrestrict,
} from '@looptide/contracts/operations/auth/users'
import { toPage } from '@looptide/service-kit/http/cursor'
import type { Guard } from '@looptide/service-kit/limits/guard'
import { type Route, route } from '@looptide/service-kit/routes/route'
import { readProfileQuery } from '../account/profile-search.ts'
import { presentAdminUser, type UserService } from '../account/user-service.ts'
import { presentRestriction } from '../user/restriction-repository.ts'
import type { RestrictionService } from './restriction-service.ts'
import type { RoleService } from './role-service.ts'
import type { SessionAdministration } from './session-administration.ts'

/** Routes of restrictions. */
export const restrictionRoutes = ({
  restrictions,
  guard,
}: {
  restrictions: RestrictionService
  guard: Guard
}): Route[] => [
  route(authUserRestrict, async ({ params, body, request, user, cause }) => {
    const userId = params.id
    const { restrictionType, reason, expiresAt, replaces } = body
    if (restrictionType === 'site_banned') {
      await guard.check(request, 'user.site_ban.admin', userId)
    }
    const end = typeof expiresAt === 'string' ? new Date(expiresAt) : null
    const restriction = { userId, restrictionType, reason, expiresAt: end, replaces }
    return presentRestriction(await restrictions.add(restriction, user, cause))
  }),
  route(authUserUnrestrict, ({ params, user, cause }) =>
    restrictions.remove(params.id, params.restrictionId, user, cause),
  ),
]

/** Routes of the sessions and passwords of users. */
export const sessionAdministrationRoutes = ({
  sessionAdministration,
  guard,
}: {
  sessionAdministration: SessionAdministration
  guard: Guard
}): Route[] => [
  route(authUserEndSessions, async ({ params, user, cause }) => ({
    ended: await sessionAdministration.endOf(params.id, user.id, cause),
  })),
  route(authUserEndAllSessions, async ({ request, cause }) => {
    await guard.check(request, 'user.sessions.admin')
    return { ended: await sessionAdministration.endAll(cause) }
  }),
  route(authUserResetPassword, async ({ params: { id }, request, user, cause }) => {
    await guard.check(request, 'user.password.admin', id)
    await sessionAdministration.requirePasswordReset(id, user.id, cause)
  }),
]

interface UserDeps {
  users: UserService
  roles: RoleService
  guard: Guard
}

/** Routes of accounts and roles for admins. */
export const userRoutes = ({ users, guard, roles }: UserDeps): Route[] => [
  route(authUserList, async ({ query }) => {
    const list = readProfileQuery(query)
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
