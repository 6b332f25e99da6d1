import { createHash, randomBytes, randomInt } from 'node:crypto'

/** Prefix of the tokens of PKCE links. With it, `GET /verify` answers with a code. */
export const PKCE_PREFIX = 'pkce_'

/** A random token of 256 bits for a link. */
export const newTokenHash = (pkce: boolean): string =>
  (pkce ? PKCE_PREFIX : '') + randomBytes(32).toString('base64url')

/** A uniformly distributed six-digit code. */
export const newCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0')

/** Stored form of a secret with enough entropy to resist guessing. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
