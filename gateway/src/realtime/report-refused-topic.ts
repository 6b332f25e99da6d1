import { gatewayBroadcastSend } from '@looptide/contracts/operations/gateway'
import type { RefusedAttemptReporter } from '@looptide/service-kit/audit/refused-attempts'
import type { AccessList } from '@looptide/service-kit/identity/access-list'
import type { ClientNetwork } from '@looptide/service-kit/limits/client-network'
import type { Identity } from './identity.ts'
import type { RoleAttempt, RoleTopic } from './topic/topic-rules.ts'

/** Reports to the audit log that a signed-in user was refused a topic because of their role. */
export const reportRefusedTopic =
  (refusals: RefusedAttemptReporter, access: AccessList) =>
  ({ userId, isAnonymous }: Identity, client: ClientNetwork, topic: RoleTopic, attempt: RoleAttempt): void =>
    refusals.report({
      userId,
      role: access.roleOf(userId),
      operation: `realtime.${topic}.${attempt}`,
      route: attempt === 'join' ? `phx_join realtime:${topic}` : gatewayBroadcastSend.call,
      params: {},
      targetUserId: null,
      requestId: '',
      lacks: 'role',
      anonymousFrom: isAnonymous ? client : null,
    })
