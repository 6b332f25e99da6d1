import { PASSKEYS_PER_USER } from '@looptide/contracts/credential-limits'
import type { Passkey, RegistrationCredential } from '@looptide/contracts/http/passkeys'
import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import type { Kysely, Transaction } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import type { Database } from '../../../db/schema.ts'
import type { SecurityNotices } from '../../mail/security-notices.ts'
import { type Caller, lockCaller } from '../../session/caller.ts'
import { requireAddress, requireConfirmedAddress } from '../../user/require-address.ts'
import type { UserRow } from '../../user/user-repository.ts'
import { auditStaff } from '../../user/user-role.ts'
import { ALGORITHMS, loadWebauthn, type NewCredential, verifyRegistration } from './ceremonies.ts'
import { CHALLENGE_TTL_MS, type Challenges } from './challenges.ts'
import { knownCredentials } from './known-credential-repository.ts'
import { credentialExists, describeCredentials, requireNewCredential } from './known-credentials.ts'
import type { PasskeyRow } from './passkey-repository.ts'
import * as passkeyRepository from './passkey-repository.ts'
import { presentPasskey } from './present-passkey.ts'
import { type RelyingParty, requireParty } from './relying-party.ts'

/** Name of a new passkey until its owner renames it. The protocol's registration has no name. */
const FIRST_NAME = 'Passkey'

export interface CeremonyDeps {
  db: Kysely<Database>
  challenges: Challenges
  notices: SecurityNotices
  /** Undefined when the station's address has no domain. */
  party: RelyingParty | undefined
  now: () => number
}

/** What the auth protocol sends to a browser to start a ceremony. `expires_at` in seconds since the epoch. */
export interface CeremonyOptions<T> {
  challenge_id: string
  options: T
  expires_at: number
}

/** Adds passkeys to the account of a signed-in user. */
export class PasskeyRegistration {
  readonly #deps: CeremonyDeps

  constructor(deps: CeremonyDeps) {
    this.#deps = deps
  }

  /**
   * Options for `navigator.credentials.create()`. Errors: `passkey_disabled`, `email_not_confirmed`,
   * `too_many_passkeys`.
   */
  async options(caller: Caller): Promise<CeremonyOptions<PublicKeyCredentialCreationOptionsJSON>> {
    const { db, challenges } = this.#deps
    const party = requireParty(this.#deps.party)
    requireConfirmedAddress(caller.user)
    requireBelowLimit(await passkeyRepository.listOf(db, caller.user.id))
    const email = requireAddress(caller.user)
    const known = await knownCredentials(db, caller.user.id)
    const { id, challenge, expiresAt } = challenges.issue({ registrationOf: caller.user.id })
    const { generateRegistrationOptions } = await loadWebauthn()
    const options = await generateRegistrationOptions({
      rpName: party.name,
      rpID: party.id,
      userID: userHandleOf(caller.user.id),
      userName: email,
      userDisplayName: email,
      challenge,
      timeout: CHALLENGE_TTL_MS,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: describeCredentials(known),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    return { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) }
  }

  /**
   * Adds a passkey and notifies its owner by mail. Errors: those of {@link options}, `passkey_refused`,
   * `passkey_challenge_expired`, `passkey_challenge_not_found`, `passkey_exists`.
   */
  async register(
    caller: Caller,
    challengeId: string,
    answer: RegistrationCredential,
    cause: Cause,
  ): Promise<Passkey> {
    const { db, challenges, notices } = this.#deps
    const party = requireParty(this.#deps.party)
    requireConfirmedAddress(caller.user)
    const isChallenge = challenges.matcher(challengeId, { registrationOf: caller.user.id })
    const credential = await verifyRegistration(answer, {
      party,
      isChallenge,
      requireUserVerification: true,
    })
    const row = await db.transaction().execute(async (trx) => {
      const user = await lockCaller(trx, caller)
      await challenges.spend(trx, challengeId)
      const added = await this.#insert(trx, user, credential)
      await notices.passkeyAdded(trx, user)
      const facts = { action: 'passkey.add', targetType: 'passkey', targetId: added.id } as const
      await auditStaff(trx, user.id, facts, cause)
      return added
    })
    notices.wake()
    return presentPasskey(row)
  }

  async #insert(trx: Transaction<Database>, user: UserRow, credential: NewCredential): Promise<PasskeyRow> {
    requireBelowLimit(await passkeyRepository.listOf(trx, user.id))
    await requireNewCredential(trx, user.id, credential)
    const createdAt = new Date(this.#deps.now())
    const row = await passkeyRepository.insert(trx, {
      ...credential,
      id: newId(createdAt.getTime()),
      userId: user.id,
      name: FIRST_NAME,
      createdAt,
      lastUsedAt: null,
    })
    if (row === undefined) throw credentialExists()
    return row
  }
}

/** The user handle of WebAuthn, which a passkey returns at sign-in: the user's id as text, as in GoTrue. */
export const userHandleOf = (userId: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(userId)

function requireBelowLimit(known: readonly PasskeyRow[]): void {
  if (known.length < PASSKEYS_PER_USER) return
  throw new AccountError(
    'too_many_passkeys',
    `You have ${PASSKEYS_PER_USER} passkeys, the maximum. Remove one before you add another.`,
  )
}
