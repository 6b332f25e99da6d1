import type { Kysely, Transaction } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'
import { AuthError } from '../../protocol/auth-error.ts'
import { withFloor } from '../../protocol/with-floor.ts'
import type { CodeSender, LinkWishes } from '../codes/code-sender.ts'
import type { Client } from '../sessions/session-service.ts'
import { ANSWER_FLOOR_MS } from './account-service.ts'
import type { Registration, SignUpData } from './registration.ts'
import { type UserRow, userRepository } from './user-repository.ts'

interface MailServiceDeps {
  db: Kysely<AuthDatabase>
  codes: CodeSender
  registration: Registration
  mailConfirmation: boolean
  now: () => number
}

export interface MagicLink {
  email: string
  userMetadata: Record<string, unknown>
  createUser: boolean
  wishes: LinkWishes
}

/** Mails that somebody asks for: magic links, password recovery, confirmations once more. */
export class MailService {
  readonly #deps: MailServiceDeps

  constructor(deps: MailServiceDeps) {
    this.#deps = deps
  }

  /** Unknown addresses get an account without a password, or `otp_disabled`. */
  magicLink(request: MagicLink, client: Client): Promise<void> {
    return this.#quietly(async (trx) => {
      const { email, userMetadata, wishes } = request
      const { codes, registration, mailConfirmation } = this.#deps
      const { user, isNew } = await this.#findOrCreate(trx, request, client)
      if (mailConfirmation && user.emailConfirmedAt === null) {
        await codes.claim(trx, email, 'confirmation')
        // A sign-up without a password.
        const signUp = { passwordHash: null, userMetadata, signUpClient: null }
        if (!isNew) await registration.contest(trx, user, signUp)
        await this.#confirm(trx, user, signUp, wishes)
        return
      }
      await codes.claim(trx, email, 'recovery')
      await this.#send(trx, user, 'magiclink', wishes)
    })
  }

  /** Answers alike whether the address is known or not. */
  recover(email: string, wishes: LinkWishes): Promise<void> {
    return this.#quietly(async (trx) => {
      await this.#deps.codes.claim(trx, email, 'recovery')
      const user = await userRepository.lockByEmail(trx, email)
      if (user !== undefined) await this.#send(trx, user, 'recovery', wishes)
    })
  }

  /**
   * The confirmation mail once more, if there is anything to confirm. It belongs to the account's sign-up if there was
   * only one. Of several nobody knows who asks now: the mail then belongs to none of them.
   */
  resendSignUp(email: string, wishes: LinkWishes): Promise<void> {
    return this.#quietly(async (trx) => {
      await this.#deps.codes.claim(trx, email, 'confirmation')
      const user = await userRepository.lockByEmail(trx, email)
      if (user?.emailConfirmedAt !== null) return
      await this.#confirm(trx, user, user.contested ? undefined : user, wishes)
    })
  }

  async #findOrCreate(
    trx: Transaction<AuthDatabase>,
    { email, userMetadata, createUser }: MagicLink,
    client: Client,
  ): Promise<{ user: UserRow; isNew: boolean }> {
    const known = await userRepository.lockByEmail(trx, email)
    if (known !== undefined) return { user: known, isNew: false }
    if (!createUser) throw new AuthError('otp_disabled', 'Signups not allowed for otp')
    const now = new Date(this.#deps.now())
    const confirmed = !this.#deps.mailConfirmation
    const account = { email, passwordHash: null, userMetadata, confirmed, now }
    const created = await this.#deps.registration.create(trx, account, client.cause)
    // Another request made it between the two queries.
    const user = created ?? (await userRepository.lockByEmail(trx, email))
    if (user === undefined) throw AuthError.tooManyRequests()
    return { user, isNew: created !== undefined }
  }

  async #confirm(
    trx: Transaction<AuthDatabase>,
    user: UserRow,
    signUp: SignUpData | undefined,
    wishes: LinkWishes,
  ): Promise<void> {
    const { codes, now } = this.#deps
    await codes.send(trx, {
      userId: user.id,
      slot: 'confirmation',
      kind: 'signup',
      email: user.email,
      signUp,
      wishes,
    })
    await userRepository.update(trx, user.id, { confirmationSentAt: new Date(now()) })
  }

  async #send(
    trx: Transaction<AuthDatabase>,
    user: UserRow,
    kind: 'magiclink' | 'recovery',
    wishes: LinkWishes,
  ): Promise<void> {
    const { codes, now } = this.#deps
    await codes.send(trx, { userId: user.id, slot: 'recovery', kind, email: user.email, wishes })
    await userRepository.update(trx, user.id, { recoverySentAt: new Date(now()) })
  }

  async #quietly(work: (trx: Transaction<AuthDatabase>) => Promise<void>): Promise<void> {
    await withFloor(ANSWER_FLOOR_MS, () => this.#deps.db.transaction().execute(work))
    this.#deps.codes.wake()
  }
}
