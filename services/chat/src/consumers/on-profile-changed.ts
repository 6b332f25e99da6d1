import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { projectProfile } from '../features/users/user-repository.ts'

/** Updates the copy of a profile, unless a newer one is stored. */
export async function onProfileChanged(
  trx: Transaction<Database>,
  envelope: Envelope<'auth.user.registered.v1' | 'auth.profile.updated.v1'>,
): Promise<void> {
  const { userId, handle, artistName } = envelope.data.profile
  await projectProfile(trx, { userId, handle, artistName, version: envelope.aggregateVersion })
}
