import type { Operation } from '@looptide/contracts/operation'
import { FRESH_FACTOR_MS, type Proof, RECENT_SIGN_IN_MS } from '@looptide/contracts/proofs'
import type { Db } from '@looptide/service-kit/db/db'
import { AccountError } from '../../account-error.ts'
import type { Database } from '../../db/schema.ts'
import * as factorRepository from '../user/factor-repository.ts'
import { isAnonymous } from '../user/require-address.ts'
import type { Caller } from './caller.ts'

/** GoTrue's texts for a missing second factor, by operation. */
const FACTOR_TEXTS: ReadonlyMap<string, string> = new Map([
  ['auth.user.update', 'AAL2 session is required to update email or password when MFA is enabled.'],
  ['auth.factor.enroll', 'AAL2 required to enroll a new factor'],
  ['auth.factor.unenroll', 'AAL2 required to unenroll verified factor'],
])

/** What an operation, or a case of it, requires of its caller. */
interface Requirement {
  operation: Pick<Operation, 'name'>
  proof: Proof
}

/**
 * Requires a proof of a caller. Errors: `insufficient_aal` if the second factor is missing or too old,
 * `reauthentication_needed` if the sign-in is.
 */
export async function requireProof(
  db: Db<Database>,
  caller: Caller,
  { operation, proof }: Requirement,
  nowMs: number,
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
    const text = FACTOR_TEXTS.get(operation.name) ?? 'AAL2 required: confirm with your second factor'
    throw new AccountError('insufficient_aal', text)
  }
  if (proof === 'factor' || isRecent(signedInAt, RECENT_SIGN_IN_MS)) return
  throw new AccountError('reauthentication_needed', 'Please sign in again to confirm this change.')
}
