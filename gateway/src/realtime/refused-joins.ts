import type { AccessList } from '@looptide/service-kit/access-list'
import type { RefusedAttemptReporter } from '@looptide/service-kit/refused-attempts'
import type { Identity } from './identity.ts'
import type { RoleTopic } from './topic-rules.ts'

/** Reports a signed-in user who is refused a topic for a role, as services report a refused request. */
export const reportRefusedJoin =
  (refusals: RefusedAttemptReporter, access: AccessList) =>
  ({ userId }: Identity, topic: RoleTopic): void =>
    refusals.report({
      userId,
      role: access.roleOf(userId),
      operation: `realtime.${topic}.join`,
      route: `phx_join realtime:${topic}`,
      params: {},
      targetUserId: null,
      requestId: '',
    })
