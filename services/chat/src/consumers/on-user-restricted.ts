import type { Envelope } from '@looptide/contracts/events'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { rejectHeldOf } from '../features/held/held-repository.ts'
import { addRestriction } from '../features/users/user-repository.ts'

/**
 * Stores a restriction of any type: `chat_banned`, `site_banned` and `restricted` all forbid posting. What waits of the user
 * is rejected.
 */
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
  const rejected = await rejectHeldOf(trx, userId)
  await appendEvents(
    trx,
    rejected.map(({ id, channelId }) => ({
      type: 'chat.held.changed.v1',
      aggregateId: id,
      data: { heldId: id, channelId, authorId: userId, state: 'rejected' },
    })),
    { correlationId: envelope.correlationId },
  )
}
