import type { Profile } from '@looptide/contracts/http/users'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { ProfileRow } from './profile-repository.ts'
import * as profileRepository from './profile-repository.ts'
import { randomHandles } from './random-handle.ts'

/** The public part of a profile. */
export const presentProfile = (row: ProfileRow): Profile => ({
  userId: row.userId,
  handle: row.handle,
  artistName: row.artistName,
  avatarUrl: row.avatarUrl,
})

/** Creates a profile with a unique handle for a new user, and publishes the registration. */
export async function createProfile(
  trx: Transaction<Database>,
  user: { userId: string; handleStem: string; isStemTried: boolean; now: Date },
  cause: Cause,
): Promise<Profile> {
  const { userId, handleStem, now } = user
  for (const handle of [...(user.isStemTried ? [handleStem] : []), ...randomHandles(handleStem)]) {
    const row = await profileRepository.insert(trx, { userId, handle, createdAt: now, updatedAt: now })
    if (row === undefined) continue
    const profile = presentProfile(row)
    await appendEvent(trx, 'auth.user.registered.v1', userId, { userId, profile }, cause)
    return profile
  }
  throw new Error('no free handle found')
}
