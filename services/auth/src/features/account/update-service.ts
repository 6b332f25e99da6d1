import { authUserUpdate } from '@looptide/contracts/operations/auth/sign-in'
import type { Kysely } from 'kysely'
import { AccountError } from '../../account-error.ts'
import type { PasswordHasher } from '../../crypto/password-hasher.ts'
import type { Database } from '../../db/schema.ts'
import type { CodeSender, LinkOptions } from '../credential/code/code-sender.ts'
import type { ReauthenticationService } from '../credential/code/reauthentication-service.ts'
import type { BreachedPasswords } from '../credential/password/breached-passwords.ts'
import type { PasswordCheck } from '../credential/password/password-check.ts'
import { requireStrong } from '../credential/password/password-rule.ts'
import { replacePassword } from '../credential/password/replace-password.ts'
import type { MailRequester } from '../limits/mail-guard.ts'
import type { SecurityNotices } from '../mail/security-notices.ts'
import { type Caller, lockCaller } from '../session/caller.ts'
import { requireProof } from '../session/require-proof.ts'
import type { SessionService } from '../session/session-service.ts'
import type { Client } from '../session/sign-in-history.ts'
import { mergeMetadata, requireSmall } from '../user/metadata.ts'
import { requireAddress } from '../user/require-address.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import type { EmailChangeService } from './email-change-service.ts'

interface UpdateDeps {
  db: Kysely<Database>
  hasher: PasswordHasher
  passwordCheck: PasswordCheck
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
  /** A proof of work, over the limit of wrong passwords. */
  proofOfWork: string | undefined
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

  async update(caller: Caller, change: UserChange, client: Client): Promise<UserRow> {
    const { db, codes, emailChanges } = this.#deps
    const { cause } = client
    const changesEmail = change.email !== null && change.email !== caller.user.email
    if (change.password !== null) await requireStrong(change.password, this.#deps.breached)
    if (change.password !== null || changesEmail) await this.#requireProof(caller, change, client)
    const passwordHash = await this.#newHash(caller, change)
    const updated = await db.transaction().execute(async (trx) => {
      const user = await lockCaller(trx, caller)
      if (passwordHash !== null) {
        const ended = { allBut: caller.sessionId }
        await replacePassword(trx, this.#deps, { user, passwordHash, ended }, cause)
        // The presented token stays valid: stock clients keep using it.
        const { sessionId: id, generation: minGeneration } = caller
        await this.#deps.sessions.outdate(trx, user.id, [{ id, minGeneration }], cause)
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

  async #newHash({ user }: Caller, { password }: UserChange): Promise<string | null> {
    if (password === null) return null
    requireAddress(user)
    const { hasher } = this.#deps
    if (user.passwordHash !== null && (await hasher.verify(user.passwordHash, password))) {
      throw new AccountError('same_password', 'New password should be different from the old password.')
    }
    return hasher.hash(password)
  }

  /**
   * Requires what the step-up table says about a change of password or email. A current password that is given is always
   * checked; it or a mailed code replaces the recent sign-in (as in GoTrue), also for an account without a password.
   */
  async #requireProof(caller: Caller, change: UserChange, client: Client): Promise<void> {
    const { db, passwordCheck, reauthentication, now } = this.#deps
    const { email, password } = authUserUpdate.proof
    const operation = authUserUpdate
    const { currentPassword, nonce, proofOfWork: proof } = change
    const { user } = caller
    // After a reset by an admin the current password proves nothing.
    if (currentPassword !== null && user.passwordHash !== null && user.passwordResetRequiredAt === null) {
      await requireProof(db, caller, { operation, proof: 'factor' }, now())
      if (await passwordCheck.matches(user, currentPassword, { client, proof })) return
      throw new AccountError('invalid_credentials', 'The current password is incorrect.')
    }
    try {
      const proof = change.password === null ? email : password
      await requireProof(db, caller, { operation, proof }, now())
    } catch (error) {
      if (nonce === null || !(error instanceof AccountError)) throw error
      await requireProof(db, caller, { operation, proof: 'factor' }, now())
      await reauthentication.redeem(user.id, nonce)
    }
  }
}
