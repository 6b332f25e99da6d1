import type { Profile } from '@looptide/contracts/http/users'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import * as restrictionRepository from '../user/restriction-repository.ts'
import { presentProfile } from './new-profile.ts'
import type { ProfileRow } from './profile-repository.ts'

/**
 * Changes a user's profile by `write` and publishes the change, in one transaction. Errors: `user_restricted` for users
 * with the restriction `restricted`.
 */
export async function changeProfile(
  db: Kysely<Database>,
  { userId, now, cause }: { userId: string; now: Date; cause: Cause },
  write: (trx: Transaction<Database>) => Promise<ProfileRow | undefined>,
): Promise<Profile> {
  return db.transaction().execute(async (trx) => {
    const restrictions = await restrictionRepository.activeOf(trx, [userId], now)
    if (restrictions.some((row) => row.restrictionType === 'restricted')) {
      throw new AppError('user_restricted', 'Your account is restricted: your profile cannot be changed.')
    }
    const row = await write(trx)
    if (row === undefined) throw errors.notFound('This profile')
    const profile = presentProfile(row)
    await appendEvent(trx, 'auth.profile.updated.v1', userId, { userId, profile }, cause)
    return profile
  })
}
