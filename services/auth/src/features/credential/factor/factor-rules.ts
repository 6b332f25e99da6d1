import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import type { Database } from '../../../db/schema.ts'
import type { FactorNotice } from '../../mail/credential-notices.ts'
import type { SecurityNotices } from '../../mail/security-notices.ts'
import type { Caller } from '../../session/caller.ts'
import type { SessionService } from '../../session/session-service.ts'
import type { FactorRow } from '../../user/factor-repository.ts'
import * as factorRepository from '../../user/factor-repository.ts'
import { isVerified } from '../../user/present-factor.ts'
import type { UserRow } from '../../user/user-repository.ts'

/** Factors of a user, verified or not (as in GoTrue). */
const MAX_FACTORS = 10

/** An authenticator app or security key. */
export type DeviceFactor = FactorRow & { factorType: 'totp' | 'webauthn' }

const isDevice = (factor: FactorRow): factor is DeviceFactor => factor.factorType !== 'recovery_code'

/** An authenticator app or security key of the caller. Errors: `factor_not_found`. */
export async function findFactor(
  trx: Transaction<Database>,
  caller: Caller,
  factorId: string,
): Promise<DeviceFactor> {
  const factors = await factorRepository.listOf(trx, caller.user.id)
  const factor = factors.find(({ id }) => id === factorId)
  if (factor === undefined || !isDevice(factor))
    throw new AccountError('factor_not_found', 'Factor not found')
  return factor
}

/** Refuses another factor that must not be enrolled. Errors: `factor_name_taken`, `too_many_factors`. */
export function requireMayEnroll(factors: readonly FactorRow[], friendlyName: string): void {
  if (factors.some((factor) => factor.friendlyName === friendlyName)) {
    const message = `A factor with the friendly name ${JSON.stringify(friendlyName)} for this user already exists`
    throw new AccountError('factor_name_taken', message)
  }
  if (factors.length >= MAX_FACTORS) {
    const message = 'Maximum number of verified factors reached, unenroll to continue'
    throw new AccountError('too_many_factors', message)
  }
}

/**
 * Removes a factor of a locked user, with the last app or key the recovery codes too, and notifies the owner. Sessions
 * that were verified with it return to `aal1`.
 */
export async function removeFactor(
  trx: Transaction<Database>,
  { notices, sessions }: { notices: SecurityNotices; sessions: SessionService },
  { user, factor }: { user: UserRow; factor: FactorRow },
  cause: Cause,
): Promise<void> {
  const others = (await factorRepository.listOf(trx, user.id)).filter(({ id }) => id !== factor.id)
  const isLast = !others.some((other) => isDevice(other) && isVerified(other))
  const useless = isLast ? others.filter(({ factorType }) => factorType === 'recovery_code') : []
  const removed = [factor, ...useless].map(({ id }) => id)
  await factorRepository.remove(trx, user.id, removed)
  await sessions.downgrade(trx, user.id, removed, cause)
  if (!isVerified(factor)) return
  const notice: FactorNotice = isDevice(factor)
    ? { kind: 'factor_removed', factorType: factor.factorType }
    : { kind: 'recovery_codes_removed' }
  await notices.factorsChanged(trx, user, notice)
}
