import { appendEvent, type Cause } from '@looptide/service-kit/outbox'
import type { Transaction } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'
import type { NamePolicy } from '../names/name-policy.ts'
import { presentProfile } from '../people/new-profile.ts'
import { profileRepository } from '../people/profile-repository.ts'
import { randomHandles, stemOf } from '../people/random-handle.ts'
import type { KeptRestrictions } from '../restrictions/kept-restrictions.ts'
import { createAccount, type NewAccount } from './create-account.ts'
import { type UserRow, userRepository } from './user-repository.ts'

/** What a sign-up gave. An account without a password has a null hash. */
export interface SignUpData {
  passwordHash: string | null
  userMetadata: Record<string, unknown>
  /** Digest of the network and browser it came from; null where it is not known, or without a password. */
  signUpClient: Buffer | null
}

interface RegistrationDeps {
  names: NamePolicy
  kept: KeptRestrictions
}

/** How accounts begin: created at sign-up, and adopted by the sign-up whose mail is confirmed. */
export class Registration {
  readonly #deps: RegistrationDeps

  constructor(deps: RegistrationDeps) {
    this.#deps = deps
  }

  /**
   * A user with a profile, in the caller's transaction; undefined when the address is taken. Restrictions of an
   * earlier account with this address apply again.
   */
  async create(
    trx: Transaction<AuthDatabase>,
    account: Omit<NewAccount, 'handleStem'>,
    cause: Cause,
  ): Promise<UserRow | undefined> {
    const handleStem = this.#deps.names.stemFor(account.userMetadata.full_name)
    const user = await createAccount(trx, { ...account, handleStem }, cause)
    if (user !== undefined) await this.#deps.kept.apply(trx, user, account.now, cause)
    return user
  }

  /**
   * Notes another sign-up for an account that nobody has confirmed. It becomes the account's own only when its mail is
   * confirmed.
   */
  async contest(trx: Transaction<AuthDatabase>, user: UserRow, signUp: SignUpData): Promise<void> {
    await userRepository.update(trx, user.id, {
      passwordHash: signUp.passwordHash,
      userMetadata: JSON.stringify(signUp.userMetadata),
      signUpClient: signUp.signUpClient,
      contested: true,
    })
  }

  /**
   * The account becomes that of `signUp`, the sign-up whose mail was confirmed. Null, for a mail that no sign-up asked
   * for, clears password and metadata: the person who gave them has not shown that the address is theirs.
   */
  async adopt(
    trx: Transaction<AuthDatabase>,
    user: UserRow,
    signUp: Omit<SignUpData, 'signUpClient'> | null,
    now: Date,
    cause: Cause,
  ): Promise<void> {
    const { passwordHash, userMetadata } = signUp ?? { passwordHash: null, userMetadata: {} }
    await userRepository.update(trx, user.id, {
      passwordHash,
      userMetadata: JSON.stringify(userMetadata),
      signUpClient: null,
      contested: false,
    })
    await this.#rename(trx, user.id, this.#deps.names.stemFor(userMetadata.full_name), now, cause)
  }

  /** A handle that was made from the name in another sign-up is replaced. */
  async #rename(
    trx: Transaction<AuthDatabase>,
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
      const facts = { userId, profile: presentProfile(renamed) }
      await appendEvent(trx, 'auth.profile.updated.v1', userId, facts, cause)
      return
    }
    throw new Error('No free handle was found')
  }
}
