import type { Profile } from '@looptide/contracts/http/users'
import { appendEvent, type Cause } from '@looptide/service-kit/outbox'
import type { Transaction } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'
import { type ProfileRow, profileRepository } from './profile-repository.ts'
import { randomHandles } from './random-handle.ts'

/** The first part of the handle of people whose name gives none. */
export const DEFAULT_STEM = 'viewer'
const STEM_LENGTH = 20

export const presentProfile = (row: ProfileRow): Profile => ({
  userId: row.userId,
  handle: row.handle,
  artistName: row.artistName,
  avatarUrl: row.avatarUrl,
})

/**
 * The first part of a handle: the name somebody gave, as far as a handle can hold it. Never the address:
 * a handle is public, an address is not.
 */
export function handleStem(fullName: unknown): string {
  if (typeof fullName !== 'string') return DEFAULT_STEM
  const plain = fullName
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, STEM_LENGTH)
    .replace(/^_+|_+$/g, '')
  return plain === '' ? DEFAULT_STEM : plain
}

/** Gives a new person a profile with a handle of its own, and tells of the registration. */
export async function createProfile(
  trx: Transaction<AuthDatabase>,
  person: { userId: string; handleStem: string; now: Date },
  cause: Cause,
): Promise<Profile> {
  const { userId, now } = person
  for (const handle of randomHandles(person.handleStem)) {
    const row = await profileRepository.insert(trx, { userId, handle, createdAt: now, updatedAt: now })
    if (row === undefined) continue
    const profile = presentProfile(row)
    await appendEvent(trx, 'auth.user.registered.v1', userId, { userId, profile }, cause)
    return profile
  }
  throw new Error('No free handle was found')
}
