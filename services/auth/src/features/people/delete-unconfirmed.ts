import { appendEvent } from '@looptide/service-kit/outbox'
import type { Kysely } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'
import { userRepository } from '../accounts/user-repository.ts'

/**
 * Deletes accounts whose address nobody has confirmed and that last asked for a confirmation before `before`, at
 * most `limit`; answers how many. Their addresses and handles are free again.
 */
export async function deleteUnconfirmed(
  db: Kysely<AuthDatabase>,
  before: Date,
  limit: number,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const ids = await userRepository.lockUnconfirmed(trx, before, limit)
    for (const userId of ids) {
      await userRepository.delete(trx, userId)
      await appendEvent(trx, 'auth.user.deleted.v1', userId, { userId })
    }
    return ids.length
  })
}
