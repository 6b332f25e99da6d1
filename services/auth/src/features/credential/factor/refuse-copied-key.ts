import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { AccountError } from '../../../account-error.ts'
import type { Database } from '../../../db/schema.ts'
import type { SecurityNotices } from '../../mail/security-notices.ts'
import type { FactorRow } from '../../user/factor-repository.ts'
import type { UserRow } from '../../user/user-repository.ts'
import { refused } from '../passkey/ceremonies.ts'

/** Notifies the owner of a copied security key and records it, in the caller's transaction. Returns the refusal. */
export async function refuseCopiedKey(
  trx: Transaction<Database>,
  notices: SecurityNotices,
  user: UserRow,
  factor: FactorRow,
  cause: Cause,
): Promise<AccountError> {
  await notices.credentialCopied(trx, user, { kind: 'security key', name: factor.friendlyName })
  const facts = {
    action: 'security_key_copied',
    targetType: 'factor',
    targetId: factor.id,
    targetUserId: user.id,
  } as const
  await appendAudit(trx, 'auth.audit.recorded.v1', facts, cause)
  return refused('the counter did not increase')
}
