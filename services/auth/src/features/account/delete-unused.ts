import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { AccountEmail, KeptRestrictions } from '../registration/kept-restrictions.ts'
import { userRepository } from '../user/user-repository.ts'

interface DeletionDeps {
  db: Kysely<Database>
  keptRestrictions: KeptRestrictions
  now: () => number
}

/**
 * Deletes the accounts that `lock` returns and locks: those with an email that was never confirmed, or anonymous users
 * who have not used a session for long. Their emails and handles become available; the restrictions of emails are kept.
 */
export async function deleteUnusedAccounts(
  { db, keptRestrictions, now }: DeletionDeps,
  lock: (trx: Transaction<Database>) => Promise<AccountEmail[]>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const users = await lock(trx)
    await keptRestrictions.keep(trx, users, new Date(now()))
    const ids = users.map(({ id }) => id)
    await userRepository.delete(trx, ids)
    await appendEvents(
      trx,
      ids.map((userId) => ({ type: 'auth.user.deleted.v1', aggregateId: userId, data: { userId } })),
    )
  })
}
