import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { NamePolicy } from '../names/name-policy.ts'
import { presentProfile } from '../profile/new-profile.ts'
import * as profileRepository from '../profile/profile-repository.ts'
import { randomHandles, stemOf } from '../profile/random-handle.ts'
import type { SignUpData } from '../user/sign-up-data.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { createAccount, type NewAccount } from './create-account.ts'
import type { KeptRestrictions } from './kept-restrictions.ts'

interface RegistrationDeps {
  names: NamePolicy
  keptRestrictions: KeptRestrictions
}

/** Creates accounts at sign-up, and lets an account adopt the sign-up whose mail was confirmed. */
export class Registration {
  readonly #deps: RegistrationDeps

  constructor(deps: RegistrationDeps) {
    this.#deps = deps
  }

  /**
   * Creates a user with a profile, in the caller's transaction. Undefined when the email is registered already.
   * Restrictions of an earlier account with this email apply again.
   */
  async create(
    trx: Transaction<Database>,
    account: Omit<NewAccount, 'handleStem'>,
    cause: Cause,
  ): Promise<UserRow | undefined> {
    const handleStem = this.#deps.names.stemFor(account.userMetadata.full_name)
    const user = await createAccount(trx, { ...account, handleStem }, cause)
    if (user !== undefined) await this.#deps.keptRestrictions.apply(trx, user, account.now, cause)
    return user
  }

  /**
   * Stores another sign-up for an unconfirmed account. It takes effect only when its own mail is confirmed.
   */
  async recordCompetingSignUp(trx: Transaction<Database>, user: UserRow, signUp: SignUpData): Promise<void> {
    await userRepository.update(trx, user.id, {
      passwordHash: signUp.passwordHash,
      userMetadata: JSON.stringify(signUp.userMetadata),
      signUpClient: signUp.signUpClient,
      contested: true,
    })
  }

  /**
   * Sets password, metadata and handle of an account to those of `signUp`, the sign-up whose mail was confirmed. Null, for
   * a mail that no sign-up requested, clears them: they were set without proof of owning the email.
   */
  async adopt(
    trx: Transaction<Database>,
    user: UserRow,
    signUp: Omit<SignUpData, 'signUpClient'> | null,
    now: Date,
    cause: Cause,
  ): Promise<void> {
    const { passwordHash, userMetadata } = signUp ?? { passwordHash: null, userMetadata: {} }
    await userRepository.update(trx, user.id, {
      passwordHash,
      passwordResetRequiredAt: null,
      userMetadata: JSON.stringify(userMetadata),
      signUpClient: null,
      contested: false,
    })
    await this.#rename(trx, user.id, this.#deps.names.stemFor(userMetadata.full_name), now, cause)
  }

  /** Replaces a handle that was generated from the name in another sign-up. */
  async #rename(
    trx: Transaction<Database>,
    userId: string,
    stem: string,
    now: Date,
    cause: Cause,
  ): Promise<void> {
    const profile = await profileRepository.byId(trx, userId)
    if (profile === undefined || stemOf(profile.handle) === stem) return
    for (const handle of randomHandles(stem)) {
      const renamed = await profileRepository.rename(trx, userId, handle, now)
      if (renamed === undefined) continue
      const data = { userId, profile: presentProfile(renamed) }
      await appendEvent(trx, 'auth.profile.updated.v1', userId, data, cause)
      return
    }
    throw new Error('no free handle found')
  }
}
