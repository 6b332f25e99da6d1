import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { createProfile } from '../profile/new-profile.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'

export interface NewAccount {
  /** Null for an anonymous user. */
  email: string | null
  passwordHash: string | null
  userMetadata: Record<string, unknown>
  /** See `SignUpData.signUpClient`. */
  signUpClient?: Buffer | null
  /** The first part of the handle. */
  handleStem: string
  /** The stem alone is the handle, unless it is taken. */
  isStemTried?: boolean
  confirmed: boolean
  now: Date
}

/** Creates a user with a profile, in the caller's transaction. Undefined when the email is registered already. */
export async function createAccount(
  trx: Transaction<Database>,
  account: NewAccount,
  cause: Cause,
): Promise<UserRow | undefined> {
  const { email, passwordHash, userMetadata, signUpClient, handleStem, confirmed, now } = account
  const user = await userRepository.insert(trx, {
    ...newUser({ email, passwordHash, userMetadata, signUpClient, now }),
    emailConfirmedAt: confirmed ? now : null,
    userMetadata: JSON.stringify(userMetadata),
    appMetadata: JSON.stringify({}),
  })
  if (user !== undefined) {
    await createProfile(
      trx,
      { userId: user.id, handleStem, isStemTried: account.isStemTried ?? false, now },
      cause,
    )
  }
  return user
}

/** A new user's row, not stored yet. */
export function newUser(account: Omit<NewAccount, 'confirmed' | 'handleStem' | 'isStemTried'>): UserRow {
  const { email, passwordHash, userMetadata, signUpClient = null, now } = account
  return {
    id: newId(now.getTime()),
    email,
    anonymousSeenAt: email === null ? now : null,
    passwordHash,
    emailConfirmedAt: null,
    confirmationSentAt: null,
    recoverySentAt: null,
    invitedAt: null,
    lastSignInAt: null,
    newEmail: null,
    emailChangeSentAt: null,
    emailChangeAgreed: null,
    userMetadata,
    appMetadata: {},
    signUpClient,
    contested: false,
    reauthenticationDigest: null,
    reauthenticationSentAt: null,
    passwordResetRequiredAt: null,
    wrongCodes: 0,
    wrongCodesSince: null,
    createdAt: now,
    updatedAt: now,
  }
}
