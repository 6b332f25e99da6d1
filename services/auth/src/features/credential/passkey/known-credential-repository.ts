import type { Db } from '@looptide/service-kit/db/db'
import type { Database } from '../../../db/schema.ts'

/** A WebAuthn credential of a user. */
export interface KnownCredential {
  credentialId: Buffer
  transports: string[]
}

/**
 * The credentials of a user's passkeys and security keys, at most 20. An authenticator has one of them only: a further
 * one could replace the first on the device, and a passkey is no second factor beside itself.
 */
export async function knownCredentials(db: Db<Database>, userId: string): Promise<KnownCredential[]> {
  const passkeys = db
    .selectFrom('passkeys')
    .select(['credentialId', 'transports'])
    .where('userId', '=', userId)
  const securityKeys = db
    .selectFrom('factors')
    .innerJoin('securityKeys', 'securityKeys.factorId', 'factors.id')
    .select(['credentialId', 'transports'])
    .where('userId', '=', userId)
  return passkeys.unionAll(securityKeys).execute()
}
