import type { Db } from '@looptide/service-kit/db/db'
import { ConfigError } from '@looptide/service-kit/settings/env'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import { findCheckValue, insertCheckValue, replaceCheckValue } from './key-repository.ts'

const CONTEXT = 'secret-check'
const TEXT = 'looptide'

/**
 * Throws a {@link ConfigError} unless the current or the former key secret decrypts the check value of the database. Returns
 * the encrypted value; undefined before the first start. Without it a wrong secret would be found only by the stored
 * signing keys, which a restore deletes, and then by nobody until mails, second factors and sessions fail.
 */
export async function requireKeySecret(db: Db<Database>, vault: Vault): Promise<Buffer | undefined> {
  const sealed = await findCheckValue(db)
  if (sealed !== undefined) openCheckValue(vault, sealed)
  return sealed
}

/** Throws a {@link ConfigError} unless the current or the former key secret decrypts this check value. */
export const openCheckValue = (vault: Vault, sealed: Buffer): string => openSealed(vault, sealed, CONTEXT)

/**
 * As {@link requireKeySecret}; stores the check value at the first start, and encrypts that of the former secret again.
 */
export async function ensureSecretCheck(db: Db<Database>, vault: Vault): Promise<void> {
  const sealed = await requireKeySecret(db, vault)
  if (sealed !== undefined && vault.isCurrent(sealed, CONTEXT)) return
  const value = vault.seal(TEXT, CONTEXT)
  if (sealed !== undefined) {
    await replaceCheckValue(db, value)
    return
  }
  await insertCheckValue(db, value)
  // Another process may have started first, with another secret.
  await requireKeySecret(db, vault)
}

/** Decrypts a stored value. Throws a {@link ConfigError} if neither secret encrypted it. */
export function openSealed(vault: Vault, bytes: Buffer, context: string): string {
  try {
    return vault.open(bytes, context)
  } catch {
    throw new ConfigError([
      'AUTH_KEY_SECRET is not the one that the database was encrypted with: set that one, or during a change set it as AUTH_KEY_SECRET_PREVIOUS; if it is lost, see docs/operations.md, "Secrets"',
    ])
  }
}
