import { FRESH_FACTOR_MS, type Proof, proofOf, RECENT_SIGN_IN_MS } from '@looptide/contracts/proofs'
import type { Db } from '@looptide/service-kit/db/db'
import { AccountError } from '../../account-error.ts'
import type { Database } from '../../db/schema.ts'
import { factorRepository } from '../factors/factor-repository.ts'
import { isAnonymous } from '../users/require-address.ts'
import type { Caller } from './caller.ts'

/** GoTrue's texts for a missing second factor, by row of the step-up table. */
const FACTOR_TEXTS: ReadonlyMap<string, string> = new Map([
  ['auth.user.update', 'AAL2 session is required to update email or password when MFA is enabled.'],
  ['auth.factor.enroll', 'AAL2 required to enroll a new factor'],
  ['auth.factor.unenroll', 'AAL2 required to unenroll verified factor'],
])

/**
 * Requires of a caller what a row of the step-up table says (`packages/contracts/src/proofs.ts`). Errors:
 * `insufficient_aal` if the second factor is missing or too old, `reauthentication_needed` if the sign-in is.
 */
export function requireProof(db: Db<Database>, caller: Caller, row: string, nowMs: number): Promise<void> {
  return check(db, caller, { proof: proofOf(row), row, nowMs })
}

/**
 * The same for a caller who has proved the identity otherwise, with the password or a mailed code: only the second factor
 * is required, if the user has one. Errors: `insufficient_aal`.
 */
export function requireFactor(db: Db<Database>, caller: Caller, row: string, nowMs: number): Promise<void> {
  return check(db, caller, { proof: 'factor', row, nowMs })
}

async function check(
  db: Db<Database>,
  caller: Caller,
  { proof, row, nowMs }: { proof: Proof; row: string; nowMs: number },
): Promise<void> {
  if (proof === 'none' || isAnonymous(caller.user)) return
  const isRecent = (at: Date | null, periodMs: number): boolean =>
    at !== null && nowMs - at.getTime() <= periodMs
  const { signedInAt, factorVerifiedAt } = caller
  if (await factorRepository.hasVerified(db, caller.user.id)) {
    const isProved =
      proof === 'factor'
        ? factorVerifiedAt !== null
        : isRecent(factorVerifiedAt, proof === 'fresh-factor' ? FRESH_FACTOR_MS : RECENT_SIGN_IN_MS)
    if (isProved) return
    const [operation = ''] = row.split(' | ')
    const text = FACTOR_TEXTS.get(operation) ?? 'AAL2 required: confirm with your second factor'
    throw new AccountError('insufficient_aal', text)
  }
  if (proof === 'factor' || isRecent(signedInAt, RECENT_SIGN_IN_MS)) return
  throw new AccountError('reauthentication_needed', 'Please sign in again to confirm this change.')
}
