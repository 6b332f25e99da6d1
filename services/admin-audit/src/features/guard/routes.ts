import { adminGuardCheck, adminRefusedAttemptsRecord } from '@looptide/contracts/operations/admin'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { GuardService } from './guard-service.ts'
import type { RefusedAttempts } from './refused-attempts.ts'

/** Routes of guarded actions and refused attempts, for other services. */
export const guardRoutes = ({
  guard,
  refusals,
}: {
  guard: GuardService
  refusals: RefusedAttempts
}): Route[] => [
  route(adminGuardCheck, ({ body }) => guard.check(body)),
  route(adminRefusedAttemptsRecord, async ({ body }) => {
    await refusals.recordReported(body.attempts)
    return { taken: body.attempts.length }
  }),
]
