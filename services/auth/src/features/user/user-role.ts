import type { Role } from '@looptide/contracts/common'
import { type AuditFacts, appendAudit } from '@looptide/service-kit/audit/audit'
import type { Db } from '@looptide/service-kit/db/db'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { findRole, roleOf, upsertRole } from './role-repository.ts'

/** Whether a user has a role other than `user`, without locking it. */
export async function hasStaffRole(db: Db<Database>, userId: string): Promise<boolean> {
  return (await findRole(db, userId)) !== 'user'
}

/** Stores the role and publishes the change, in the caller's transaction. */
export async function writeRole(
  trx: Transaction<Database>,
  change: { userId: string; role: Role; grantedBy: string | null; now: Date },
  cause: Cause,
): Promise<void> {
  const { userId, role } = change
  await upsertRole(trx, change)
  await appendEvent(trx, 'auth.role.changed.v1', userId, { userId, role }, cause)
}

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

/** Throws `conflict` when there is no admin other than this user. */
export function requireAnother(admins: readonly string[], userId: string): void {
  if (admins.every((id) => id === userId)) throw errors.conflict('At least one admin must remain.')
}
