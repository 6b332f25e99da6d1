import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { addRestriction } from '../features/users/user-repository.ts'

/** Stores a restriction of any type: `chat_banned`, `site_banned` and `restricted` all forbid posting. */
export async function onUserRestricted(
  trx: Transaction<Database>,
  envelope: Envelope<'auth.user.restricted.v1'>,
): Promise<void> {
  const { restrictionId, userId, restrictionType, expiresAt } = envelope.data
  await addRestriction(trx, {
    id: restrictionId,
    userId,
    restrictionType,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  })
}
