import type { Db } from '@looptide/service-kit/db/db'
import type { Vault } from '../../../crypto/vault.ts'
import type { Database } from '../../../db/schema.ts'
import { factorRepository } from '../../user/factor-repository.ts'

/** Sorts before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Encrypts the TOTP secrets of one batch, those after the id `after`, with the current `AUTH_KEY_SECRET`. Returns where
 * the next batch begins: after the last batch from the beginning, since replicas with the former secret may still write.
 */
export async function resealSecrets(
  db: Db<Database>,
  vault: Vault,
  batchSize: number,
  after: string = FIRST,
): Promise<string> {
  const factors = await factorRepository.sealedAfter(db, after, batchSize)
  for (const { id, sealedSecret } of factors) {
    if (vault.isCurrent(sealedSecret, id)) continue
    await factorRepository.update(db, id, { sealedSecret: vault.seal(vault.open(sealedSecret, id), id) })
  }
  return factors.length < batchSize ? FIRST : (factors.at(-1)?.id ?? FIRST)
}
