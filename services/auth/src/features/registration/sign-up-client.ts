import { sameBytes, type Vault } from '../../crypto/vault.ts'
import { type Client, networkOf } from '../session/sign-in-history.ts'

/** Keyed digest of an email with the network and browser that signed up. */
export const signUpClientOf = (vault: Vault, email: string, client: Client): Buffer =>
  vault.digest(PURPOSE, ...partsOf(email, client))

/** The digest of an account that the service key created: its password is kept wherever it is confirmed. */
export const anyClientOf = (vault: Vault, email: string): Buffer => vault.digest(PURPOSE, email, ANY_CLIENT)

/** Whether `digest` was made for this email and client, or for any client. False for null (unknown). */
export const isSignUpClient = (vault: Vault, digest: Buffer | null, email: string, client: Client): boolean =>
  digest !== null &&
  [...vault.digests(PURPOSE, ...partsOf(email, client)), ...vault.digests(PURPOSE, email, ANY_CLIENT)].some(
    (possible) => sameBytes(digest, possible),
  )

const PURPOSE = 'sign-up-client'
const ANY_CLIENT = 'any'

const partsOf = (email: string, { ip, userAgent }: Client): string[] => [
  email,
  networkOf(ip) ?? '',
  userAgent ?? '',
]
