import type { Logger } from '@looptide/service-kit/logger'
import type { Kysely, Transaction } from 'kysely'
import type { PasswordHasher } from '../../crypto/password-hasher.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { AuthDatabase } from '../../db/schema.ts'
import { AuthError } from '../../protocol/auth-error.ts'
import { withFloor } from '../../protocol/with-floor.ts'
import type { CodeSender, LinkWishes } from '../codes/code-sender.ts'
import type { Client, SessionService } from '../sessions/session-service.ts'
import { newUser } from './create-account.ts'
import { requireStrong } from './password-rule.ts'
import { presentUser } from './present-user.ts'
import type { Registration } from './registration.ts'
import { signUpClientOf } from './sign-up-client.ts'
import { type UserRow, userRepository } from './user-repository.ts'

/** Milliseconds. Well above what any of the ways through takes, hashing apart. */
export const ANSWER_FLOOR_MS = 100

export interface AccountDeps {
  db: Kysely<AuthDatabase>
  vault: Vault
  hasher: PasswordHasher
  sessions: SessionService
  registration: Registration
  codes: CodeSender
  mailConfirmation: boolean
  logger: Logger
  now: () => number
}

export interface SignUp {
  email: string
  password: string
  userMetadata: Record<string, unknown>
  wishes: LinkWishes
}

/** Sign-up and password sign-in. */
export class AccountService {
  readonly #deps: AccountDeps

  constructor(deps: AccountDeps) {
    this.#deps = deps
  }

  /** A session, or the bare user when the address must be confirmed first (docs/protocols/auth.md §2.1). */
  async signUp(request: SignUp, client: Client): Promise<Record<string, unknown>> {
    requireStrong(request.password)
    const passwordHash = await this.#deps.hasher.hash(request.password)
    return withFloor(ANSWER_FLOOR_MS, () =>
      this.#deps.mailConfirmation
        ? this.#signUpByMail(request, passwordHash, client)
        : this.#signUpAtOnce(request, passwordHash, client),
    )
  }

  async #signUpAtOnce(
    request: SignUp,
    passwordHash: string,
    client: Client,
  ): Promise<Record<string, unknown>> {
    const { db, sessions } = this.#deps
    const begun = await db.transaction().execute(async (trx) => {
      const user = await this.#create(trx, request, passwordHash, true, client)
      if (user === undefined) return undefined
      // By an earlier account with this address. Thrown, so that no account is made.
      if (await userRepository.isBanned(trx, user.id, new Date(this.#deps.now()))) throw AuthError.banned()
      return sessions.begin(trx, user.id, 'password', client)
    })
    if (begun !== undefined) return sessions.present(begun)
    const existing = await userRepository.byEmail(db, request.email)
    if (existing?.emailConfirmedAt === null) return this.#signUpByMail(request, passwordHash, client)
    throw new AuthError('user_already_exists', 'User already registered')
  }

  async #signUpByMail(
    request: SignUp,
    passwordHash: string,
    client: Client,
  ): Promise<Record<string, unknown>> {
    const { db, vault, codes, registration, now } = this.#deps
    const { email, userMetadata, wishes } = request
    const signUp = { passwordHash, userMetadata, signUpClient: signUpClientOf(vault, email, client) }
    const shown = await db.transaction().execute(async (trx): Promise<UserRow | undefined> => {
      await codes.claim(trx, email, 'confirmation')
      const created = await this.#create(trx, request, passwordHash, false, client)
      const user = created ?? (await userRepository.lockByEmail(trx, email))
      if (user === undefined || user.emailConfirmedAt !== null) return undefined
      if (created === undefined) await registration.contest(trx, user, signUp)
      await codes.send(trx, { userId: user.id, slot: 'confirmation', kind: 'signup', email, signUp, wishes })
      return userRepository.update(trx, user.id, { confirmationSentAt: new Date(now()) })
    })
    codes.wake()
    // What another sign-up with this address gave is not shown to this one.
    if (shown !== undefined) return presentUser({ ...shown, userMetadata })
    return inventedUser(request, new Date(now()))
  }

  #create(
    trx: Transaction<AuthDatabase>,
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
   * Unknown address and wrong password are answered alike, in text and in time. Whose account a refused sign-in was for
   * is for the log alone.
   */
  async signIn(email: string, password: string, client: Client): Promise<Record<string, unknown>> {
    const known = await userRepository.byEmail(this.#deps.db, email)
    try {
      return await this.#signIn(known, password, client)
    } catch (error) {
      if (error instanceof AuthError) {
        const facts = { userId: known?.id ?? null, code: error.code, reqId: client.cause.correlationId }
        this.#deps.logger.info(facts, 'a sign-in was refused')
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
    if (!(await hasher.verify(known?.passwordHash ?? null, password)) || known === undefined) {
      throw wrongCredentials()
    }
    const begun = await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, known.id)
      // Changed while we hashed: what was right then is wrong now.
      if (user?.passwordHash !== known.passwordHash) throw wrongCredentials()
      if (await userRepository.isBanned(trx, user.id, new Date(now()))) throw AuthError.banned()
      if (user.emailConfirmedAt === null) {
        throw new AuthError('email_not_confirmed', 'Email not confirmed')
      }
      return sessions.begin(trx, user.id, 'password', client)
    })
    return sessions.present(begun)
  }
}

export const wrongCredentials = (): AuthError =>
  new AuthError('invalid_credentials', 'Invalid login credentials')

/** The answer for an address that is taken: it looks like a new account and is none. */
function inventedUser({ email, userMetadata }: SignUp, now: Date): Record<string, unknown> {
  const user = newUser({ email, passwordHash: null, userMetadata, now })
  return { ...presentUser({ ...user, confirmationSentAt: now }), identities: [] }
}
