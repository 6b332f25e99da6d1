import { AccountError } from '../../../account-error.ts'
import { provesChallenge } from '../../../crypto/pkce.ts'
import type { ChallengeMethod } from '../../../db/schema.ts'

/** Lifetime of a PKCE code, in ms. */
export const AUTH_CODE_TTL_MS = 300_000

interface IssuedCode {
  codeChallenge: string
  codeChallengeMethod: ChallengeMethod
  createdAt: Date
}

/**
 * Checks that a code exists, is not too old, and that the verifier proves its challenge. Errors: `pkce_code_not_found`,
 * `pkce_code_expired`, `pkce_verifier_wrong`.
 */
export function requireExchangeable<T extends IssuedCode>(
  row: T | undefined,
  verifier: string,
  nowMs: number,
): T {
  if (row === undefined) throw flowNotFound()
  if (nowMs - row.createdAt.getTime() > AUTH_CODE_TTL_MS) {
    throw new AccountError('pkce_code_expired', 'invalid flow state, flow state has expired')
  }
  if (provesChallenge({ challenge: row.codeChallenge, method: row.codeChallengeMethod }, verifier)) return row
  throw new AccountError(
    'pkce_verifier_wrong',
    'code challenge does not match previously saved code verifier',
  )
}

/** The refusal of a code that is unknown, used, expired or of another verifier, in the same words. */
export const flowNotFound = (): AccountError =>
  new AccountError('pkce_code_not_found', 'invalid flow state, no valid flow state found')
