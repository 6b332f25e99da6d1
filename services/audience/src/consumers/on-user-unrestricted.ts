import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { deleteRestriction } from '../features/users/user-repository.ts'

/** Deletes a lifted restriction. */
export async function onUserUnrestricted(
  trx: Transaction<Database>,
  envelope: Envelope<'auth.user.unrestricted.v1'>,
): Promise<void> {
  await deleteRestriction(trx, envelope.data.restrictionId)
}
