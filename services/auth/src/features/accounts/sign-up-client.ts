import { sameBytes, type Vault } from '../../crypto/vault.ts'
import { type Client, networkOf } from '../sessions/session-service.ts'

/** A keyed digest of the network and browser from which an address was signed up. */
export const signUpClientOf = (vault: Vault, email: string, client: Client): Buffer =>
  vault.digest(PURPOSE, ...partsOf(email, client))

/** Whether `client` has the network and browser that `digest` was made of. False for null, which is not known. */
export const isSignUpClient = (vault: Vault, digest: Buffer | null, email: string, client: Client): boolean =>
  digest !== null &&
  vault.digests(PURPOSE, ...partsOf(email, client)).some((possible) => sameBytes(digest, possible))

const PURPOSE = 'sign-up-client'

const partsOf = (email: string, { ip, userAgent }: Client): string[] => [
  email,
  networkOf(ip) ?? '',
  userAgent ?? '',
]
