import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { projectProfile } from '../features/users/user-repository.ts'

/** Updates the copy of a profile, unless a newer one is stored. The first event of an account says when it was created. */
export async function onProfileChanged(
  trx: Transaction<Database>,
  envelope: Envelope<'auth.user.registered.v1' | 'auth.profile.updated.v1'>,
): Promise<void> {
  const { type, data, occurredAt, aggregateVersion: version } = envelope
  const { userId, handle, artistName } = data.profile
  const registeredAt = type === 'auth.user.registered.v1' ? new Date(occurredAt) : null
  await projectProfile(trx, { userId, handle, artistName, registeredAt, version })
}
