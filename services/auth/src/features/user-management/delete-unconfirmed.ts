import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { KeptRestrictions } from '../restrictions/kept-restrictions.ts'
import { userRepository } from '../users/user-repository.ts'

/**
 * Deletes at most `limit` accounts with an unconfirmed email whose last confirmation request was before `before`. Returns
 * their number. Their emails and handles become available; their restrictions are kept.
 */
export async function deleteUnconfirmed(
  db: Kysely<Database>,
  keptRestrictions: KeptRestrictions,
  now: Date,
  before: Date,
  limit: number,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const users = await userRepository.lockUnconfirmed(trx, before, limit)
    await keptRestrictions.keep(trx, users, now)
    const ids = users.map(({ id }) => id)
    await userRepository.delete(trx, ids)
    await appendEvents(
      trx,
      ids.map((userId) => ({ type: 'auth.user.deleted.v1', aggregateId: userId, data: { userId } })),
    )
    return users.length
  })
}
