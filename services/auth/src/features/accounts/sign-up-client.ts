import { sameBytes, type Vault } from '../../crypto/vault.ts'
import { type Client, networkOf } from '../sessions/session-service.ts'

/** Keyed digest of an email with the network and browser that signed up. */
export const signUpClientOf = (vault: Vault, email: string, client: Client): Buffer =>
  vault.digest(PURPOSE, ...partsOf(email, client))

/** Whether `digest` was made for this email and client. False for null (unknown). */
export const isSignUpClient = (vault: Vault, digest: Buffer | null, email: string, client: Client): boolean =>
  digest !== null &&
  vault.digests(PURPOSE, ...partsOf(email, client)).some((possible) => sameBytes(digest, possible))

const PURPOSE = 'sign-up-client'

const partsOf = (email: string, { ip, userAgent }: Client): string[] => [
  email,
  networkOf(ip) ?? '',
  userAgent ?? '',
]
