import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { ChatDb } from '../db/schema.ts'
import { addRestriction } from '../features/people/people-repository.ts'

/** Whatever the restriction: each of them takes the chat away (decisions, "restricted"). */
export async function onUserRestricted(
  trx: Transaction<ChatDb>,
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
