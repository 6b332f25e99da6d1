import { appendEvents } from '@looptide/service-kit/outbox'
import type { Kysely } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'
import { userRepository } from '../accounts/user-repository.ts'
import type { KeptRestrictions } from '../restrictions/kept-restrictions.ts'

/**
 * Deletes accounts whose address nobody has confirmed and that last asked for a confirmation before `before`, at
 * most `limit`; answers how many. Their addresses and handles are free again; restrictions are kept.
 */
export async function deleteUnconfirmed(
  db: Kysely<AuthDatabase>,
  kept: KeptRestrictions,
  now: Date,
  before: Date,
  limit: number,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const users = await userRepository.lockUnconfirmed(trx, before, limit)
    await kept.keep(trx, users, now)
    const ids = users.map(({ id }) => id)
    await userRepository.delete(trx, ids)
    await appendEvents(
      trx,
      ids.map((userId) => ({ type: 'auth.user.deleted.v1', aggregateId: userId, data: { userId } })),
    )
    return users.length
  })
}
