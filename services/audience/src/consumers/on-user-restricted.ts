import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { insertRestriction } from '../features/users/user-repository.ts'

/** Stores a restriction of type `restricted`. Other types, such as chat bans, do not concern requests. */
export async function onUserRestricted(
  trx: Transaction<Database>,
  envelope: Envelope<'auth.user.restricted.v1'>,
): Promise<void> {
  const { userId, restrictionId, restrictionType, expiresAt } = envelope.data
  if (restrictionType !== 'restricted') return
  await insertRestriction(trx, {
    restrictionId,
    userId,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  })
}
