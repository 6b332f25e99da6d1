import { type AuditFacts, appendAudit } from '@looptide/service-kit/audit/audit'
import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { roleOf } from './user-role.ts'

/**
 * Records a change of the sign-in of a user with a role, in the caller's transaction. Changes of other accounts are
 * not audited; their owners are notified by mail.
 */
export async function auditStaff(
  trx: Transaction<Database>,
  userId: string,
  facts: Pick<AuditFacts, 'action' | 'targetType' | 'targetId' | 'details'>,
  cause: Cause,
): Promise<void> {
  if ((await roleOf(trx, userId)) === 'user') return
  await appendAudit(trx, 'auth.audit.recorded.v1', { ...facts, targetUserId: userId }, cause)
}
