import type { AuthenticationCredential } from '@looptide/contracts/http/passkeys'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { Transaction } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import type { Database } from '../../../db/schema.ts'
import type { SessionService } from '../../session/session-service.ts'
import type { Client, SignInHistory } from '../../session/sign-in-history.ts'
import type { UserRow } from '../../user/user-repository.ts'
import * as userRepository from '../../user/user-repository.ts'
import { isCopy, loadWebauthn, refused, verifyAuthentication } from './ceremonies.ts'
import { CHALLENGE_TTL_MS } from './challenges.ts'
import { type CeremonyDeps, type CeremonyOptions, userHandleOf } from './passkey-registration.ts'
import type { PasskeyRow } from './passkey-repository.ts'
import * as passkeyRepository from './passkey-repository.ts'
import { requireParty } from './relying-party.ts'

interface SignInDeps extends CeremonyDeps {
  sessions: SessionService
  signIns: SignInHistory
  logger: Logger
}

type Started = Awaited<ReturnType<SessionService['begin']>>

/** Sign-in with a passkey that the browser offers without an email address (a discoverable credential). */
export class PasskeySignIn {
  readonly #deps: SignInDeps

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  /** Options for `navigator.credentials.get()`, the same for everyone. Errors: `passkey_disabled`. */
  async options(): Promise<CeremonyOptions<PublicKeyCredentialRequestOptionsJSON>> {
    const party = requireParty(this.#deps.party)
    const { id, challenge, expiresAt } = this.#deps.challenges.issue('authentication')
    const { generateAuthenticationOptions } = await loadWebauthn()
    const options = await generateAuthenticationOptions({
      rpID: party.id,
      challenge,
      timeout: CHALLENGE_TTL_MS,
      userVerification: 'required',
    })
    return { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) }
  }

  /**
   * Starts a session. Errors: `passkey_disabled`, `passkey_challenge_expired`, `passkey_challenge_not_found`, `banned`,
   * `email_not_confirmed`, and `passkey_refused` for everything else, so that the answer does not reveal which passkeys
   * exist.
   */
  async signIn(
    challengeId: string,
    answer: AuthenticationCredential,
    client: Client,
  ): Promise<Record<string, unknown>> {
    const { db, sessions, notices } = this.#deps
    const passkey = await this.#verify(challengeId, answer, client)
    const started = await db
      .transaction()
      // The refusal of a copy is returned, not thrown, because the notice about it must be committed.
      .execute((trx): Promise<Started | AccountError> => this.#begin(trx, passkey, challengeId, client))
    if (!(started instanceof AccountError)) return sessions.present(started)
    notices.wake()
    void this.#deps.signIns.failed([passkey.userId], 'passkey', client)
    throw started
  }

  async #verify(
    challengeId: string,
    answer: AuthenticationCredential,
    client: Client,
  ): Promise<VerifiedPasskey> {
    const party = requireParty(this.#deps.party)
    const isChallenge = this.#deps.challenges.matcher(challengeId, 'authentication')
    const known = await passkeyRepository.byCredentialId(this.#deps.db, Buffer.from(answer.id, 'base64url'))
    try {
      if (known === undefined || !isOwner(answer, known.userId)) throw refused('unknown credential')
      const { counter } = await verifyAuthentication(answer, known.publicKey, {
        party,
        isChallenge,
        requireUserVerification: true,
      })
      return { id: known.id, userId: known.userId, counter }
    } catch (error) {
      if (error instanceof AccountError) {
        const fields = { userId: known?.userId ?? null, err: error.cause, reqId: client.cause.correlationId }
        this.#deps.logger.info(fields, 'passkey refused')
        if (known !== undefined) void this.#deps.signIns.failed([known.userId], 'passkey', client)
      }
      throw error
    }
  }

  async #begin(
    trx: Transaction<Database>,
    { id, userId, counter }: VerifiedPasskey,
    challengeId: string,
    client: Client,
  ): Promise<Started | AccountError> {
    const { challenges, sessions, now } = this.#deps
    const at = new Date(now())
    const user = await userRepository.lockById(trx, userId)
    // The account or the passkey was deleted during the verification.
    const passkey = await passkeyRepository.lock(trx, id)
    if (user === undefined || passkey === undefined) throw refused()
    await challenges.spend(trx, challengeId)
    if (await userRepository.isBanned(trx, userId, at)) throw AccountError.banned()
    if (user.emailConfirmedAt === null) throw new AccountError('email_not_confirmed', 'Email not confirmed')
    if (isCopy(passkey.counter, counter)) return this.#refuseCopy(trx, user, passkey, client)
    await passkeyRepository.recordUse(trx, id, { counter, lastUsedAt: at })
    return sessions.begin(trx, userId, 'passkey', client)
  }

  async #refuseCopy(
    trx: Transaction<Database>,
    user: UserRow,
    passkey: PasskeyRow,
    client: Client,
  ): Promise<AccountError> {
    await this.#deps.notices.credentialCopied(trx, user, { kind: 'passkey', name: passkey.name })
    await appendAudit(
      trx,
      'auth.audit.recorded.v1',
      {
        action: 'security_passkey_copied',
        targetType: 'passkey',
        targetId: passkey.id,
        targetUserId: user.id,
        details: { passkeyName: passkey.name },
      },
      { ...client.cause, actorId: user.id },
    )
    return refused()
  }
}

/** A passkey whose signature is valid, and the counter it signed. */
interface VerifiedPasskey {
  id: string
  userId: string
  counter: number
}

/** Whether the credential names the owner of the stored one. Discoverable credentials always return a user handle. */
const isOwner = ({ response }: AuthenticationCredential, userId: string): boolean =>
  response.userHandle === Buffer.from(userHandleOf(userId)).toString('base64url')
