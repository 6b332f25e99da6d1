import { isStorableInPostgres } from '@looptide/service-kit/db/postgres-json'
import type { Challenge } from '../crypto/pkce.ts'
import { readChallenge } from '../crypto/pkce.ts'
import { AuthError } from './auth-error.ts'

/** Reads the PKCE challenge of a body. Throws `validation_failed`. */
export function readPkce(body: {
  code_challenge?: unknown
  code_challenge_method?: unknown
}): Challenge | null {
  const challenge = readChallenge(body.code_challenge, body.code_challenge_method)
  if (challenge === 'invalid') {
    throw AuthError.validation('PKCE flow requires code_challenge_method and a valid code_challenge')
  }
  return challenge
}

/** Reads the solution of a proof-of-work challenge, which the stock client sends as `options.captchaToken`. */
export function readProof(body: {
  gotrue_meta_security?: { captcha_token?: string | null | undefined } | null | undefined
}): string | undefined {
  return body.gotrue_meta_security?.captcha_token ?? undefined
}

/** Reads `user_metadata` from a body. Throws `validation_failed` for values that Postgres or a token cannot store. */
export function readMetadata(data: unknown): Record<string, unknown> {
  if (data === undefined || data === null) return {}
  if (typeof data !== 'object' || Array.isArray(data)) throw AuthError.validation('data must be an object')
  if (!isStorableInPostgres(data)) throw AuthError.validation('data cannot be stored')
  return data as Record<string, unknown>
}
