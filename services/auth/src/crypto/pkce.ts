import { createHash } from 'node:crypto'
import type { ChallengeMethod } from '../db/schema.ts'
import { sameBytes } from './vault.ts'

const UNRESERVED = /^[A-Za-z0-9\-._~]{43,128}$/

export interface Challenge {
  challenge: string
  method: ChallengeMethod
}

/**
 * Reads the challenge of a request (RFC 7636 §4.2, §4.3): null when both fields are empty, `invalid` when only one is
 * set or one is malformed.
 */
export function readChallenge(challenge: unknown, method: unknown): Challenge | null | 'invalid' {
  const none = (value: unknown): boolean => value === undefined || value === null || value === ''
  if (none(challenge) && none(method)) return null
  if (typeof challenge !== 'string' || typeof method !== 'string') return 'invalid'
  const name = method.toLowerCase()
  if (name !== 's256' && name !== 'plain') return 'invalid'
  return UNRESERVED.test(challenge) ? { challenge, method: name } : 'invalid'
}

/** Whether the verifier matches the challenge (RFC 7636 §4.6). */
export function provesChallenge({ challenge, method }: Challenge, verifier: string): boolean {
  if (!UNRESERVED.test(verifier)) return false
  const given = method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  return sameBytes(Buffer.from(given), Buffer.from(challenge))
}
