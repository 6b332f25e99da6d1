import type { SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely, Transaction } from 'kysely'
import { AccountError } from '../../account-error.ts'
import type { PasswordHasher } from '../../crypto/password-hasher.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import type { CodeSender, LinkOptions } from '../credential/code/code-sender.ts'
import type { BreachedPasswords } from '../credential/password/breached-passwords.ts'
import { requireStrong } from '../credential/password/password-rule.ts'
import type { MailRequester } from '../limits/mail-guard.ts'
import { newUser } from '../registration/create-account.ts'
import type { Registration } from '../registration/registration.ts'
import { signUpClientOf } from '../registration/sign-up-client.ts'
import type { SessionService } from '../session/session-service.ts'
import type { Client, SignInHistory } from '../session/sign-in-history.ts'
import { presentUser } from '../user/present-user.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { withMinDuration } from './with-min-duration.ts'

/** Minimum response time of requests whose duration could reveal an account, in ms. Every code path takes less. */
export const MIN_RESPONSE_MS = 100

export interface AccountDeps {
  db: Kysely<Database>
  vault: Vault
  hasher: PasswordHasher
  breached: BreachedPasswords
  sessions: SessionService
  signIns: SignInHistory
  registration: Registration
  codes: CodeSender
  mailConfirmation: boolean
  signUp: SignUpPolicy
  logger: Logger
  now: () => number
}

export interface SignUp {
  email: string
  password: string
  userMetadata: Record<string, unknown>
  linkOptions: LinkOptions
  requester: MailRequester
}

/** Sign-up and password sign-in. */
export class AccountService {
  readonly #deps: AccountDeps

  constructor(deps: AccountDeps) {
    this.#deps = deps
  }

  /**
   * Returns a session, or only the user when the email must be confirmed first (docs/protocols/auth.md, "Sign-up").
   * Errors: `sign_up_disabled`, `weak_password`, `user_exists`.
   */
  async signUp(request: SignUp, client: Client): Promise<Record<string, unknown>> {
    if (this.#deps.signUp !== 'open') throw AccountError.signUpDisabled()
    await requireStrong(request.password, this.#deps.breached)
    const passwordHash = await this.#deps.hasher.hash(request.password)
    return withMinDuration(MIN_RESPONSE_MS, () =>
      this.#deps.mailConfirmation
        ? this.#signUpWithConfirmation(request, passwordHash, client)
        : this.#signUpDirectly(request, passwordHash, client),
    )
  }

  async #signUpDirectly(
    request: SignUp,
    passwordHash: string,
    client: Client,
  ): Promise<Record<string, unknown>> {
    const { db, sessions } = this.#deps
    const started = await db.transaction().execute(async (trx) => {
      const user = await this.#create(trx, request, passwordHash, true, client)
      if (user === undefined) return undefined
      // Banned because of an earlier account with this email. Throwing rolls the new account back.
      if (await userRepository.isBanned(trx, user.id, new Date(this.#deps.now()))) throw AccountError.banned()
      return sessions.begin(trx, user.id, 'password', client)
    })
    if (started !== undefined) return sessions.present(started)
    const existing = await userRepository.byEmail(db, request.email)
    if (existing?.emailConfirmedAt === null)
      return this.#signUpWithConfirmation(request, passwordHash, client)
    throw new AccountError('user_exists', 'User already registered')
  }

  async #signUpWithConfirmation(
    request: SignUp,
    passwordHash: string,
    client: Client,
  ): Promise<Record<string, unknown>> {
    const { db, vault, codes, registration, now } = this.#deps
    const { email, userMetadata, linkOptions, requester } = request
    const signUp = { passwordHash, userMetadata, signUpClient: signUpClientOf(vault, email, client) }
    const updated = await db.transaction().execute(async (trx): Promise<UserRow | undefined> => {
      await codes.claim(trx, { email, slot: 'confirmation', requester })
      const created = await this.#create(trx, request, passwordHash, false, client)
      const user = created ?? (await userRepository.lockByEmail(trx, email))
      if (user === undefined || user.emailConfirmedAt !== null) return undefined
      if (created === undefined) await registration.recordCompetingSignUp(trx, user, signUp)
      const mail = {
        userId: user.id,
        slot: 'confirmation',
        kind: 'signup',
        email,
        signUp,
        isTrusted: requester.ownBudget !== undefined,
        linkOptions,
      } as const
      await codes.send(trx, mail)
      return userRepository.update(trx, user.id, { confirmationSentAt: new Date(now()) })
    })
    codes.wake()
    // Only this sign-up's metadata is returned, never that of a competing sign-up with the same email.
    if (updated !== undefined) return presentUser({ ...updated, userMetadata })
    return placeholderUser(request, new Date(now()))
  }

  #create(
    trx: Transaction<Database>,
    { email, userMetadata }: SignUp,
    passwordHash: string,
    confirmed: boolean,
    client: Client,
  ): Promise<UserRow | undefined> {
    const now = new Date(this.#deps.now())
    const signUpClient = confirmed ? null : signUpClientOf(this.#deps.vault, email, client)
    const account = { email, passwordHash, userMetadata, signUpClient, confirmed, now }
    return this.#deps.registration.create(trx, account, client.cause)
  }

  /**
   * Signs in by password. An unknown email and a wrong password get the same text after the same time. Only the log and
   * the owner's sign-in history show whose account a refused sign-in was for.
   */
  async signIn(email: string, password: string, client: Client): Promise<Record<string, unknown>> {
    const known = await userRepository.byEmail(this.#deps.db, email)
    try {
      return await this.#signIn(known, password, client)
    } catch (error) {
      if (error instanceof AccountError) {
        const fields = { userId: known?.id ?? null, reason: error.reason, reqId: client.cause.correlationId }
        this.#deps.logger.info(fields, 'sign-in refused')
        // Also without an account: the work must not differ.
        void this.#deps.signIns.failed(known === undefined ? [] : [known.id], 'password', client)
      }
      throw error
    }
  }

  async #signIn(
    known: UserRow | undefined,
    password: string,
    client: Client,
  ): Promise<Record<string, unknown>> {
    const { db, hasher, sessions, now } = this.#deps
    const match = await hasher.match(known?.passwordHash ?? null, password)
    if (match === 'none' || known === undefined) throw wrongCredentials()
    const replacement = match === 'unchanged' ? await hasher.hash(password) : undefined
    const started = await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, known.id)
      // The password was changed while it was being verified.
      if (user?.passwordHash !== known.passwordHash) throw wrongCredentials()
      if (await userRepository.isBanned(trx, user.id, new Date(now()))) throw AccountError.banned()
      if (user.emailConfirmedAt === null) {
        throw new AccountError('email_not_confirmed', 'Email not confirmed')
      }
      if (user.passwordResetRequiredAt !== null) throw resetRequired()
      if (replacement !== undefined) await userRepository.update(trx, user.id, { passwordHash: replacement })
      return sessions.begin(trx, user.id, 'password', client)
    })
    return sessions.present(started)
  }
}

const wrongCredentials = (): AccountError =>
  new AccountError('invalid_credentials', 'Invalid login credentials')

const resetRequired = (): AccountError =>
  new AccountError(
    'reauthentication_needed',
    'An administrator has reset your password. Choose a new one with the link that was emailed to you.',
  )

/** The answer for an email that is already registered. It looks like a new account. */
function placeholderUser({ email, userMetadata }: SignUp, now: Date): Record<string, unknown> {
  const user = newUser({ email, passwordHash: null, userMetadata, now })
  return { ...presentUser({ ...user, confirmationSentAt: now }), identities: [] }
}
