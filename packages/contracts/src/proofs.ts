import { OPERATIONS } from './http/operations.ts'

/**
 * What a session must prove for an operation, in addition to the permission:
 *
 * - `none`: nothing.
 * - `recent-sign-in`: a sign-in within 24 hours; of a user with a second factor, a second factor within 24 hours.
 * - `factor`: the second factor, if the user has one.
 * - `fresh-factor`: the second factor within ten minutes; of a user without one, a sign-in within 24 hours.
 */
export type Proof = 'none' | 'recent-sign-in' | 'factor' | 'fresh-factor'

/** Maximum age of a sign-in or second factor for `recent-sign-in`, in ms. */
export const RECENT_SIGN_IN_MS = 86_400_000
/** Maximum age of a second factor for `fresh-factor`, in ms. */
export const FRESH_FACTOR_MS = 600_000

/**
 * The step-up table: operations about accounts and how people get access to them, by what they require. An operation that
 * depends on its body has a row per case, `<operation> | <case>`; the row without a case is checked before the body is
 * read. Anonymous users cannot prove more than their session, so nothing is required of them.
 */
const ROWS: Record<Proof, readonly string[]> = {
  none: [
    'auth.user.read',
    'auth.user.update',
    'auth.user.reauthenticate',
    'auth.session.log_out',
    'auth.session.list',
    'auth.session.end',
    'auth.sign_in.list',
    'auth.passkey.list',
    'auth.passkey.rename',
    // They are proofs themselves.
    'auth.factor.challenge',
    'auth.factor.verify',
    'auth.recovery_code.verify',
    'auth.recovery_code.read',
    'auth.personal_token.list',
    'auth.personal_token.revoke',
    'auth.personal_token.revoke_all',
    'auth.me.read',
    // Requires the password, or a sign-in within ten minutes.
    'auth.me.delete',
    'auth.email_change.cancel',
    'auth.avatar.put',
    'auth.avatar.delete',
    'auth.profile.list',
    'auth.profile.look_up',
    'auth.profile.update',
    'auth.handle.check',
    'auth.user.list',
    'auth.user.restrict',
    'auth.user.unrestrict',
    'auth.user.end_sessions',
    'auth.user.end_all_sessions',
    'auth.dead_letter.list',
    'auth.dead_letter.replay',
    'auth.dead_letter.drop',
  ],
  'recent-sign-in': [
    // Instead, the current password or a mailed code.
    'auth.user.update | password',
    'auth.user.update | email',
    'auth.passkey.registration_options',
    'auth.passkey.register',
    'auth.identity.link',
    'auth.factor.enroll',
    'auth.factor.unenroll',
  ],
  factor: ['auth.passkey.delete', 'auth.identity.unlink', 'auth.recovery_code.delete'],
  'fresh-factor': [
    'auth.recovery_code.create',
    'auth.recovery_code.replace',
    'auth.personal_token.create',
    'auth.account.export',
    'auth.user.set_role',
    'auth.user.reset_password',
  ],
}

/** The step-up table, by row. */
export const PROOF_OF: ReadonlyMap<string, Proof> = new Map(
  (Object.entries(ROWS) as [Proof, readonly string[]][]).flatMap(([proof, rows]) =>
    rows.map((row): [string, Proof] => [row, proof]),
  ),
)

/** Whether an operation must be in the step-up table: it belongs to auth and is for signed-in users. */
export function needsProofRow(operation: string): boolean {
  const audience = OPERATIONS.get(operation)?.audience
  return operation.startsWith('auth.') && audience !== undefined && !NO_SESSION.has(audience)
}
const NO_SESSION: ReadonlySet<string> = new Set(['anyone', 'service-key'])

/** The proof that a row requires; `none` outside auth. Throws for an operation of auth that has no row. */
export function proofOf(row: string): Proof {
  const proof = PROOF_OF.get(row)
  if (proof !== undefined) return proof
  const [operation = ''] = row.split(' | ')
  if (needsProofRow(operation))
    throw new Error(`${row} has no row in the step-up table (packages/contracts/src/proofs.ts)`)
  return 'none'
}
