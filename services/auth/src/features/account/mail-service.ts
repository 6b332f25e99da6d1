import type { SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import type { Kysely, Transaction } from 'kysely'
import { AccountError, RACE_RETRY_MS } from '../../account-error.ts'
import type { Database } from '../../db/schema.ts'
import type { CodeSender, LinkOptions } from '../credential/code/code-sender.ts'
import type { MailRequester } from '../limits/mail-guard.ts'
import type { Registration } from '../registration/registration.ts'
import type { Client } from '../session/sign-in-history.ts'
import { requireAddress } from '../user/require-address.ts'
import type { SignUpData } from '../user/sign-up-data.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { MIN_RESPONSE_MS } from './account-service.ts'
import { withMinDuration } from './with-min-duration.ts'

interface MailServiceDeps {
  db: Kysely<Database>
  codes: CodeSender
  registration: Registration
  mailConfirmation: boolean
  signUp: SignUpPolicy
  now: () => number
}

export interface MagicLinkRequest {
  email: string
  userMetadata: Record<string, unknown>
  createUser: boolean
  linkOptions: LinkOptions
  requester: MailRequester
}

/** A mail that somebody requests for the account of an email. */
export type AccountMailRequest = Pick<MagicLinkRequest, 'email' | 'linkOptions' | 'requester'>

/** Mails that clients request: magic links, password recovery, confirmation mails sent again. */
export class MailService {
  readonly #deps: MailServiceDeps

  constructor(deps: MailServiceDeps) {
    this.#deps = deps
  }

  /**
   * Sends a sign-in link. An unknown email gets an account without a password, or the error `sign_up_not_allowed` or
   * `sign_up_disabled`.
   */
  sendMagicLink(request: MagicLinkRequest, client: Client): Promise<void> {
    return this.#inTransaction(async (trx) => {
      const { email, userMetadata, requester } = request
      const { codes, registration, mailConfirmation } = this.#deps
      const { user, isNew } = await this.#findOrCreate(trx, request, client)
      if (mailConfirmation && user.emailConfirmedAt === null) {
        await codes.claim(trx, { email, slot: 'confirmation', requester })
        // A sign-up without a password.
        const signUp = { passwordHash: null, userMetadata, signUpClient: null }
        if (!isNew) await registration.recordCompetingSignUp(trx, user, signUp)
        await this.#sendConfirmation(trx, user, signUp, request)
        return
      }
      await codes.claim(trx, { email, slot: 'recovery', requester })
      await this.#send(trx, user, 'magiclink', request)
    })
  }

  /** Sends a recovery link. The response is the same for known and unknown emails. */
  recover(request: AccountMailRequest): Promise<void> {
    return this.#inTransaction(async (trx) => {
      const { email, requester } = request
      await this.#deps.codes.claim(trx, { email, slot: 'recovery', requester })
      const user = await userRepository.lockByEmail(trx, email)
      if (user !== undefined) await this.#send(trx, user, 'recovery', request)
    })
  }

  /**
   * Sends the confirmation mail again if the account is unconfirmed. The mail belongs to the account's sign-up if there
   * was only one. After several sign-ups it belongs to none of them, because the requester is unknown.
   */
  resendSignUp(request: AccountMailRequest): Promise<void> {
    return this.#inTransaction(async (trx) => {
      const { email, requester } = request
      await this.#deps.codes.claim(trx, { email, slot: 'confirmation', requester })
      const user = await userRepository.lockByEmail(trx, email)
      if (user?.emailConfirmedAt !== null) return
      await this.#sendConfirmation(trx, user, user.contested ? undefined : user, request)
    })
  }

  async #findOrCreate(
    trx: Transaction<Database>,
    { email, userMetadata, createUser }: MagicLinkRequest,
    client: Client,
  ): Promise<{ user: UserRow; isNew: boolean }> {
    const known = await userRepository.lockByEmail(trx, email)
    if (known !== undefined) return { user: known, isNew: false }
    if (!createUser) throw new AccountError('sign_up_not_allowed', 'Signups not allowed for otp')
    if (this.#deps.signUp !== 'open') throw AccountError.signUpDisabled()
    const now = new Date(this.#deps.now())
    const confirmed = !this.#deps.mailConfirmation
    const account = { email, passwordHash: null, userMetadata, confirmed, now }
    const created = await this.#deps.registration.create(trx, account, client.cause)
    // A concurrent request created the account between the two queries.
    const user = created ?? (await userRepository.lockByEmail(trx, email))
    if (user === undefined) throw AccountError.tooManyRequests(RACE_RETRY_MS)
    return { user, isNew: created !== undefined }
  }

  async #sendConfirmation(
    trx: Transaction<Database>,
    user: UserRow,
    signUp: SignUpData | undefined,
    { linkOptions, requester }: AccountMailRequest,
  ): Promise<void> {
    const { codes, now } = this.#deps
    await codes.send(trx, {
      userId: user.id,
      slot: 'confirmation',
      kind: 'signup',
      email: requireAddress(user),
      signUp,
      isTrusted: requester.ownBudget !== undefined,
      linkOptions,
    })
    await userRepository.update(trx, user.id, { confirmationSentAt: new Date(now()) })
  }

  async #send(
    trx: Transaction<Database>,
    user: UserRow,
    kind: 'magiclink' | 'recovery',
    { linkOptions, requester }: AccountMailRequest,
  ): Promise<void> {
    const { codes, now } = this.#deps
    await codes.send(trx, {
      userId: user.id,
      slot: 'recovery',
      kind,
      email: requireAddress(user),
      isTrusted: requester.ownBudget !== undefined,
      linkOptions,
    })
    await userRepository.update(trx, user.id, { recoverySentAt: new Date(now()) })
  }

  /** Runs `work` in a transaction, with a minimum response time, and then sends the queued mails. */
  async #inTransaction(work: (trx: Transaction<Database>) => Promise<void>): Promise<void> {
    await withMinDuration(MIN_RESPONSE_MS, () => this.#deps.db.transaction().execute(work))
    this.#deps.codes.wake()
  }
}
