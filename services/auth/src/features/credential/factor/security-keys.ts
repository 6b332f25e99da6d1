import type { WebauthnAnswer } from '@looptide/contracts/http/auth'
import type { AuthenticationCredential, RegistrationCredential } from '@looptide/contracts/http/passkeys'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import type { Transaction } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import type { Database } from '../../../db/schema.ts'
import { addKey, type FactorRow, keyOf, setKeyCounter } from '../../user/factor-repository.ts'
import { requireAddress } from '../../user/require-address.ts'
import type { UserRow } from '../../user/user-repository.ts'
import {
  ALGORITHMS,
  isCopy,
  loadWebauthn,
  refused,
  verifyAuthentication,
  verifyRegistration,
} from '../passkey/ceremonies.ts'
import { CHALLENGE_TTL_MS, type Challenges } from '../passkey/challenges.ts'
import { knownCredentials } from '../passkey/known-credential-repository.ts'
import { credentialExists, describeCredentials, requireNewCredential } from '../passkey/known-credentials.ts'
import { userHandleOf } from '../passkey/passkey-registration.ts'
import { type RelyingParty, requireParty } from '../passkey/relying-party.ts'

/** The request to a browser: to create a credential, which finishes an enrolment, or to sign with the key. */
export type KeyRequest =
  | { type: 'create'; credential_options: { publicKey: PublicKeyCredentialCreationOptionsJSON } }
  | { type: 'request'; credential_options: { publicKey: PublicKeyCredentialRequestOptionsJSON } }

interface SecurityKeyDeps {
  challenges: Challenges
  /** Undefined when the station's address has no domain. */
  party: RelyingParty | undefined
}

/**
 * Security keys: WebAuthn credentials as second factors. A key need not check a PIN, because the password or mailbox is
 * the other factor (docs/decisions/0067-security-keys-are-no-passkeys.md).
 */
export class SecurityKeys {
  readonly #deps: SecurityKeyDeps

  constructor(deps: SecurityKeyDeps) {
    this.#deps = deps
  }

  /** A new challenge for a factor. Errors: `passkey_disabled`. */
  async ask(
    trx: Transaction<Database>,
    user: UserRow,
    factor: FactorRow,
  ): Promise<{ id: string; request: KeyRequest }> {
    const party = requireParty(this.#deps.party)
    const { id, challenge } = this.#deps.challenges.issue({ factorId: factor.id })
    const shared = { rpID: party.id, challenge, timeout: CHALLENGE_TTL_MS } as const
    const key = await keyOf(trx, factor.id)
    const { generateAuthenticationOptions, generateRegistrationOptions } = await loadWebauthn()
    if (key !== undefined) {
      const publicKey = await generateAuthenticationOptions({
        ...shared,
        allowCredentials: describeCredentials([key]),
        userVerification: 'preferred',
      })
      return { id, request: { type: 'request', credential_options: { publicKey } } }
    }
    const email = requireAddress(user)
    const publicKey = await generateRegistrationOptions({
      ...shared,
      rpName: party.name,
      userID: userHandleOf(user.id),
      userName: email,
      userDisplayName: email,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: describeCredentials(await knownCredentials(trx, user.id)),
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    })
    return { id, request: { type: 'create', credential_options: { publicKey } } }
  }

  /**
   * Verifies the answer to a challenge; that of an enrolment stores the key. Returns whether the key is a copy: its
   * counter did not increase. Errors: `passkey_disabled`, `passkey_refused`, `passkey_exists`, `invalid_input` for an
   * answer of the other type.
   */
  async accept(
    trx: Transaction<Database>,
    factor: FactorRow,
    challengeId: string,
    answer: WebauthnAnswer,
  ): Promise<{ isCopied: boolean }> {
    const isEnrolment = factor.status === 'unverified'
    if (isEnrolment && answer.type === 'create') {
      await this.#register(trx, factor, challengeId, answer.credential_response)
      return { isCopied: false }
    }
    if (isEnrolment || answer.type === 'create') {
      throw AccountError.invalidInput(`webauthn.type needs to be ${isEnrolment ? 'create' : 'request'}`)
    }
    return this.#authenticate(trx, factor, challengeId, answer.credential_response)
  }

  async #register(
    trx: Transaction<Database>,
    factor: FactorRow,
    challengeId: string,
    answer: RegistrationCredential,
  ): Promise<void> {
    const credential = await verifyRegistration(answer, this.#expected(factor, challengeId))
    await requireNewCredential(trx, factor.userId, credential)
    const isAdded = await addKey(trx, { ...credential, factorId: factor.id })
    if (!isAdded) throw credentialExists()
  }

  async #authenticate(
    trx: Transaction<Database>,
    factor: FactorRow,
    challengeId: string,
    answer: AuthenticationCredential,
  ): Promise<{ isCopied: boolean }> {
    const key = await keyOf(trx, factor.id)
    if (key?.credentialId.toString('base64url') !== answer.id) throw refused('unknown credential')
    const { counter } = await verifyAuthentication(answer, key.publicKey, this.#expected(factor, challengeId))
    if (isCopy(Number(key.counter), counter)) return { isCopied: true }
    await setKeyCounter(trx, factor.id, counter)
    return { isCopied: false }
  }

  #expected(factor: FactorRow, challengeId: string) {
    return {
      party: requireParty(this.#deps.party),
      isChallenge: this.#deps.challenges.matcher(challengeId, { factorId: factor.id }),
      requireUserVerification: false,
    }
  }
}
