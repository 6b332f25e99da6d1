import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { ChatDb } from '../db/schema.ts'
import { forgetPerson } from '../features/people/people-repository.ts'

export async function onUserDeleted(
  trx: Transaction<ChatDb>,
  envelope: Envelope<'auth.user.deleted.v1'>,
): Promise<void> {
  await forgetPerson(trx, envelope.data.userId, envelope.aggregateVersion)
}
