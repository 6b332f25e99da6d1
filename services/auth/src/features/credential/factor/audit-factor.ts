import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { FactorRow } from '../../user/factor-repository.ts'
import { auditStaff } from '../../user/user-role.ts'

/** Records that a moderator or admin added or removed a second factor, in the caller's transaction. */
export const auditFactor = (
  trx: Transaction<Database>,
  action: 'factor.add' | 'factor.remove',
  { id, userId, factorType }: FactorRow,
  cause: Cause,
): Promise<void> =>
  auditStaff(trx, userId, { action, targetType: 'factor', targetId: id, details: { factorType } }, cause)
