import { isStorable } from '@looptide/service-kit/storable'
import type { Challenge } from '../crypto/pkce.ts'
import { readChallenge } from '../crypto/pkce.ts'
import { AuthError } from './auth-error.ts'

/** Valid email address as HTML defines it (WHATWG HTML, "valid email address"). */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const MAX_EMAIL = 255
/** Maximum size of `user_metadata` as JSON, in bytes. Every access token carries it and must fit into a header. */
const MAX_METADATA = 4096

/** Normalises an email to the form in which emails are stored and compared. Throws `validation_failed`. */
export function readEmail(text: string): string {
  const email = text.toLowerCase()
  if (email.length > MAX_EMAIL || !EMAIL.test(email)) {
    throw AuthError.validation('Unable to validate email address: invalid format')
  }
  return email
}

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

/** Reads `user_metadata` from a body. Throws `validation_failed` for values that Postgres or a token cannot store. */
export function readMetadata(data: unknown): Record<string, unknown> {
  if (data === undefined || data === null) return {}
  if (typeof data !== 'object' || Array.isArray(data)) throw AuthError.validation('data must be an object')
  if (!isStorable(data)) throw AuthError.validation('data cannot be stored')
  return data as Record<string, unknown>
}

/** Throws `validation_failed` for metadata that would make tokens too long. */
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
    // The value is nested too deeply to serialise.
    return Number.POSITIVE_INFINITY
  }
}
