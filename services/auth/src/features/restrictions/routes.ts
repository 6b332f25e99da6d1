import { authUserRestrict, authUserUnrestrict } from '@looptide/contracts/operations/auth/users'
import type { Guard } from '@looptide/service-kit/limits/guard'
import { type Route, route } from '@looptide/service-kit/routes/route'
import { presentRestriction } from './restriction-repository.ts'
import type { RestrictionService } from './restriction-service.ts'

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
