import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { auditStaff } from '../roles/audit-staff.ts'
import type { FactorRow } from './factor-repository.ts'

/** Records that a moderator or admin added or removed a second factor, in the caller's transaction. */
export const auditFactor = (
  trx: Transaction<Database>,
  action: 'factor.add' | 'factor.remove',
  { id, userId, factorType }: FactorRow,
  cause: Cause,
): Promise<void> =>
  auditStaff(trx, userId, { action, targetType: 'factor', targetId: id, details: { factorType } }, cause)
