import {
  authUserEndAllSessions,
  authUserEndSessions,
  authUserResetPassword,
} from '@looptide/contracts/operations/auth/users'
import type { Guard } from '@looptide/service-kit/limits/guard'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { SessionAdministration } from './session-administration.ts'

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
