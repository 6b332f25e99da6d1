import type { AccessList } from '@looptide/service-kit/access-list'
import type { RefusedAttemptReporter } from '@looptide/service-kit/refused-attempts'
import type { Identity } from './identity.ts'

/** Reports a signed-in user who is refused the topic `admin`, as services report a refused request. */
export const reportRefusedJoin =
  (refusals: RefusedAttemptReporter, access: AccessList) =>
  ({ userId }: Identity): void =>
    refusals.report({
      userId,
      role: access.roleOf(userId),
      operation: 'realtime.admin.join',
      route: 'phx_join realtime:admin',
      params: {},
      targetUserId: null,
      requestId: '',
    })
