import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { liftRestriction } from '../features/users/user-repository.ts'

/** Lifts a restriction, also one whose event arrives later. */
export async function onUserUnrestricted(
  trx: Transaction<Database>,
  envelope: Envelope<'auth.user.unrestricted.v1'>,
): Promise<void> {
  const { restrictionId, userId, restrictionType } = envelope.data
  const liftedAt = new Date(envelope.occurredAt)
  await liftRestriction(trx, { id: restrictionId, userId, restrictionType, liftedAt })
}
