import type { SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import { AccountError, RACE_RETRY_MS } from '../../account-error.ts'
import type { PasswordHasher } from '../../crypto/password-hasher.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import { EMAIL_CHANGE_SLOTS } from '../account/email-change-service.ts'
import { emailExists } from '../account/verification-service.ts'
import * as codeRepository from '../credential/code/code-repository.ts'
import type { CodeMail, CodeSender, IssuedCode } from '../credential/code/code-sender.ts'
import type { BreachedPasswords } from '../credential/password/breached-passwords.ts'
import { requireStrong } from '../credential/password/password-rule.ts'
import { OPERATOR } from '../limits/mail-guard.ts'
import type { Registration } from '../registration/registration.ts'
import { anyClientOf } from '../registration/sign-up-client.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { recordManagement } from './administration-service.ts'

/** The types of links of the admin API (docs/protocols/auth.md §2.11). */
export const LINK_TYPES = [
  'signup',
  'invite',
  'magiclink',
  'recovery',
  'email_change_current',
  'email_change_new',
] as const
type LinkType = (typeof LINK_TYPES)[number]

export interface InviteRequest {
  email: string
  userMetadata: Record<string, unknown>
  redirectTo: unknown
}

export interface LinkRequest extends InviteRequest {
  type: LinkType
  /** The password of a sign-up. */
  password: string | null
  /** The new email of an email change. */
  newEmail: string | null
}

interface LinkDeps {
  db: Kysely<Database>
  vault: Vault
  hasher: PasswordHasher
  breached: BreachedPasswords
  registration: Registration
  codes: CodeSender
  signUp: SignUpPolicy
  now: () => number
}

/** An issued link: the account it belongs to and its type, which is `signup` when a magic link created the account. */
export interface GeneratedLink {
  user: UserRow
  issued: IssuedCode
  type: LinkType
}

/** Invitations and links that the holder of the service key requests. */
export class LinkService {
  readonly #deps: LinkDeps

  constructor(deps: LinkDeps) {
    this.#deps = deps
  }

  /** Mails an invitation; an unknown email gets an account. Errors: `email_taken`, `sign_up_disabled`. */
  async invite(request: InviteRequest, cause: Cause): Promise<UserRow> {
    const { db, codes } = this.#deps
    const user = await db.transaction().execute(async (trx) => {
      await codes.claim(trx, { email: request.email, slot: 'confirmation', requester: OPERATOR })
      const { mail, sent } = await this.#confirmation(trx, { ...request, type: 'invite' }, null, cause)
      await codes.send(trx, mail)
      await recordManagement(trx, 'user.invite', mail.userId, null, cause)
      return userRepository.update(trx, mail.userId, sent)
    })
    codes.wake()
    return user
  }

  /** Creates a link without mailing it. Errors: `not_found`, `email_taken`, `weak_password`, `invalid_input`. */
  async generate(request: LinkRequest, cause: Cause): Promise<GeneratedLink> {
    const passwordHash = request.type === 'signup' ? await this.#hash(request.password) : null
    return this.#deps.db.transaction().execute(async (trx) => {
      const { mail, sent, type } = await this.#prepare(trx, request, passwordHash, cause)
      const issued = await this.#deps.codes.issue(trx, mail)
      await recordManagement(trx, 'user.generate_link', mail.userId, { type }, cause)
      return { issued, type, user: await userRepository.update(trx, mail.userId, sent) }
    })
  }

  async #prepare(
    trx: Transaction<Database>,
    request: LinkRequest,
    passwordHash: string | null,
    cause: Cause,
  ): Promise<Prepared> {
    const { type, email, newEmail, redirectTo } = request
    const linkOptions = { redirectTo, challenge: null }
    const isTrusted = true
    if (type === 'signup' || type === 'invite') {
      return this.#confirmation(trx, { ...request, type }, passwordHash, cause)
    }
    const user = await userRepository.lockByEmail(trx, email)
    const at = new Date(this.#deps.now())
    if (user === undefined) {
      if (type !== 'magiclink') throw errors.notFound('This user')
      return this.#confirmation(trx, { ...request, type: 'signup' }, null, cause)
    }
    if (type === 'magiclink' || type === 'recovery') {
      const mail = { userId: user.id, slot: 'recovery', kind: type, email, isTrusted, linkOptions } as const
      return { type, mail, sent: { recoverySentAt: at } }
    }
    if (newEmail === null) throw AccountError.invalidInput('A change of the email requires new_email')
    if ((await userRepository.byEmail(trx, newEmail)) !== undefined) throw emailExists()
    const mail = {
      userId: user.id,
      slot: type,
      kind: 'email_change',
      newEmail,
      isTrusted,
      linkOptions,
    } as const
    const isSame = user.newEmail === newEmail
    // A confirmation counts only for the email that it was issued for.
    if (!isSame) await codeRepository.clearSlots(trx, user.id, EMAIL_CHANGE_SLOTS)
    const emailChangeAgreed = isSame ? user.emailChangeAgreed : null
    const sent = { newEmail, emailChangeSentAt: at, emailChangeAgreed }
    return { type, mail: { ...mail, email: type === 'email_change_new' ? newEmail : email }, sent }
  }

  /** The mail that confirms an account, which is created unless it exists unconfirmed. */
  async #confirmation(
    trx: Transaction<Database>,
    { type, email, userMetadata, redirectTo }: InviteRequest & { type: 'signup' | 'invite' },
    passwordHash: string | null,
    cause: Cause,
  ): Promise<Prepared> {
    const { vault, registration, signUp: policy, now } = this.#deps
    if (policy === 'closed') throw AccountError.signUpDisabled()
    const at = new Date(now())
    const signUp = { passwordHash, userMetadata, signUpClient: anyClientOf(vault, email) }
    const created = await registration.create(trx, { ...signUp, email, confirmed: false, now: at }, cause)
    const user = created ?? (await userRepository.lockByEmail(trx, email))
    // Deleted between the two queries.
    if (user === undefined) throw AccountError.tooManyRequests(RACE_RETRY_MS)
    if (user.emailConfirmedAt !== null) throw emailExists()
    if (created === undefined) await registration.recordCompetingSignUp(trx, user, signUp)
    const linkOptions = { redirectTo, challenge: null }
    const of = { userId: user.id, slot: 'confirmation', email, isTrusted: true } as const
    const mail = { ...of, kind: type, signUp, linkOptions }
    return {
      type,
      mail,
      sent: { confirmationSentAt: at, ...(type === 'invite' ? { invitedAt: at } : {}) },
    }
  }

  async #hash(password: string | null): Promise<string> {
    if (password === null) throw AccountError.invalidInput('Signup requires a valid password')
    await requireStrong(password, this.#deps.breached)
    return this.#deps.hasher.hash(password)
  }
}

interface Prepared {
  type: LinkType
  mail: CodeMail
  /** The columns of the account with the time at which it was sent. */
  sent: Parameters<typeof userRepository.update>[2]
}
