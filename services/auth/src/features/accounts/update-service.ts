import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Kysely } from 'kysely'
import { AccountError } from '../../account-error.ts'
import type { PasswordHasher } from '../../crypto/password-hasher.ts'
import type { Database } from '../../db/schema.ts'
import type { MailRequester } from '../../limits/mail-guard.ts'
import type { CodeSender, LinkOptions } from '../codes/code-sender.ts'
import { requireFactor } from '../factors/require-factor.ts'
import type { SecurityNotices } from '../mail/security-notices.ts'
import { sessionRepository } from '../sessions/session-repository.ts'
import type { SessionService } from '../sessions/session-service.ts'
import { requireAddress } from '../users/require-address.ts'
import { type UserRow, userRepository } from '../users/user-repository.ts'
import type { BreachedPasswords } from './breached-passwords.ts'
import type { Caller } from './caller.ts'
import type { EmailChangeService } from './email-change-service.ts'
import { mergeMetadata, requireSmall } from './metadata.ts'
import { requireStrong } from './password-rule.ts'
import type { ReauthenticationService } from './reauthentication-service.ts'
import { replacePassword } from './replace-password.ts'

/** Time after sign-in during which a session may change the password without the current one, or add a passkey, in ms. */
export const RECENT_SIGN_IN_MS = 86_400_000

interface UpdateDeps {
  db: Kysely<Database>
  hasher: PasswordHasher
  breached: BreachedPasswords
  sessions: SessionService
  notices: SecurityNotices
  emailChanges: EmailChangeService
  reauthentication: ReauthenticationService
  codes: CodeSender
  now: () => number
}

export interface UserChange {
  email: string | null
  password: string | null
  /** The current password. */
  currentPassword: string | null
  /** A code of `GET /reauthenticate`, instead of the current password. */
  nonce: string | null
  data: Record<string, unknown>
  linkOptions: LinkOptions
  /** Requests the mails of a new email; undefined without one. */
  requester: MailRequester | undefined
}

/** `PUT /user`: changes metadata, password or email. */
export class UpdateService {
  readonly #deps: UpdateDeps

  constructor(deps: UpdateDeps) {
    this.#deps = deps
  }

  async update(caller: Caller, change: UserChange, cause: Cause): Promise<UserRow> {
    const { db, codes, emailChanges } = this.#deps
    await this.#requireFactor(caller, change)
    const passwordHash = await this.#newHash(caller, change)
    const updated = await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, caller.user.id)
      if (user === undefined) throw new AccountError('user_not_found', 'User not found')
      if (passwordHash !== null) {
        const ended = { allBut: caller.sessionId }
        await replacePassword(trx, this.#deps, { user, passwordHash, ended }, cause)
      }
      const { email: newEmail, linkOptions, requester } = change
      if (newEmail !== null && newEmail !== user.email && requester !== undefined) {
        await emailChanges.start(trx, user, { newEmail, linkOptions, requester })
      }
      const userMetadata = requireSmall(mergeMetadata(user.userMetadata, change.data))
      return userRepository.update(trx, user.id, {
        userMetadata: JSON.stringify(userMetadata),
        updatedAt: new Date(this.#deps.now()),
      })
    })
    codes.wake()
    return updated
  }

  async #requireFactor(caller: Caller, { email, password }: UserChange): Promise<void> {
    if (password === null && (email === null || email === caller.user.email)) return
    const message = 'AAL2 session is required to update email or password when MFA is enabled.'
    await requireFactor(this.#deps.db, caller, message)
  }

  async #newHash(caller: Caller, { password, currentPassword, nonce }: UserChange): Promise<string | null> {
    if (password === null) return null
    requireAddress(caller.user)
    await requireStrong(password, this.#deps.breached)
    const { hasher } = this.#deps
    const stored = caller.user.passwordHash
    if (stored !== null) {
      await this.#requireProof(caller, stored, currentPassword, nonce)
      if (await hasher.verify(stored, password)) {
        throw new AccountError('same_password', 'New password should be different from the old password.')
      }
    }
    return hasher.hash(password)
  }

  /**
   * Protects an unlocked device: a given current password is always checked; it or a mailed code is required unless the
   * user signed in during the last 24 hours (as in GoTrue).
   */
  async #requireProof(
    { user, sessionId }: Caller,
    stored: string,
    currentPassword: string | null,
    nonce: string | null,
  ): Promise<void> {
    const { db, hasher, reauthentication, now } = this.#deps
    // After a reset by an admin the current password proves nothing.
    if (currentPassword !== null && user.passwordResetRequiredAt === null) {
      if (await hasher.verify(stored, currentPassword)) return
      throw new AccountError('invalid_credentials', 'The current password is incorrect.')
    }
    const session = await sessionRepository.byId(db, sessionId)
    if (session !== undefined && now() - session.createdAt.getTime() <= RECENT_SIGN_IN_MS) return
    if (nonce !== null) return reauthentication.redeem(user.id, nonce)
    throw new AccountError('reauthentication_needed', 'Password update requires the current password.')
  }
}
