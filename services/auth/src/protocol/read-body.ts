import { isStorableInPostgres } from '@looptide/service-kit/postgres-json'
import type { Challenge } from '../crypto/pkce.ts'
import { readChallenge } from '../crypto/pkce.ts'
import { AuthError } from './auth-error.ts'

/** What HTML calls a valid address (WHATWG HTML, "valid email address"). */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const MAX_EMAIL = 255
/** Bytes of `user_metadata` as JSON. It rides in every access token, which has to fit into a header. */
const MAX_METADATA = 4096

/** An address in the form in which addresses are stored and compared. */
export function readEmail(text: string): string {
  const email = text.toLowerCase()
  if (email.length > MAX_EMAIL || !EMAIL.test(email)) {
    throw AuthError.validation('Unable to validate email address: invalid format')
  }
  return email
}

/** The challenge of a body, or `validation_failed`. */
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

/** `user_metadata` from a body: small, and nothing in it that a database or a token could not hold. */
export function readMetadata(data: unknown): Record<string, unknown> {
  if (data === undefined || data === null) return {}
  if (typeof data !== 'object' || Array.isArray(data)) throw AuthError.validation('data must be an object')
  if (!isStorableInPostgres(data)) throw AuthError.validation('data cannot be stored')
  return data as Record<string, unknown>
}

/** Refuses metadata that would make tokens too long. */
export function requireSmall(metadata: Record<string, unknown>): Record<string, unknown> {
  if (sizeOf(metadata) > MAX_METADATA) {
    throw AuthError.validation(`data must not be longer than ${MAX_METADATA} bytes`)
  }
  return metadata
}

function sizeOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value))
  } catch {
    // Nested deeper than the stack.
    return Number.POSITIVE_INFINITY
  }
}
