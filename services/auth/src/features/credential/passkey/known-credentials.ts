import type { Db } from '@looptide/service-kit/db/db'
import { AccountError } from '../../../account-error.ts'
import type { Database } from '../../../db/schema.ts'
import { type KnownCredential, knownCredentials } from './known-credential-repository.ts'

/** Credentials in the form of WebAuthn's options. */
export const describeCredentials = (credentials: readonly KnownCredential[]) =>
  credentials.map(({ credentialId, transports }) => ({ id: credentialId.toString('base64url'), transports }))

/** Errors: `passkey_exists` for a credential that the user has already. */
export async function requireNewCredential(
  db: Db<Database>,
  userId: string,
  { credentialId }: KnownCredential,
): Promise<void> {
  const known = await knownCredentials(db, userId)
  if (known.some((one) => one.credentialId.equals(credentialId))) throw credentialExists()
}

/** The refusal of a credential that the user has already. */
export const credentialExists = (): AccountError =>
  new AccountError('passkey_exists', 'This credential is already registered')
