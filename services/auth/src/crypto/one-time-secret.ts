import { createHash, randomBytes, randomInt } from 'node:crypto'

/** What a PKCE link's token begins with, by which the link's end knows what to answer. */
export const PKCE_PREFIX = 'pkce_'

/** 256 random bits for a link. */
export const newTokenHash = (pkce: boolean): string =>
  (pkce ? PKCE_PREFIX : '') + randomBytes(32).toString('base64url')

/** Six digits, all of them equally likely. */
export const newCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0')

/** How a secret of full strength is stored. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
