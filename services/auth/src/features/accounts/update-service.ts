import type { Cause } from '@looptide/service-kit/outbox'
import type { Kysely, Transaction } from 'kysely'
import type { PasswordHasher } from '../../crypto/password-hasher.ts'
import type { AuthDatabase } from '../../db/schema.ts'
import { AuthError } from '../../protocol/auth-error.ts'
import type { Caller } from '../../protocol/bearer.ts'
import { requireSmall } from '../../protocol/read-body.ts'
import { codeRepository } from '../codes/code-repository.ts'
import type { CodeSender, LinkWishes } from '../codes/code-sender.ts'
import { emailExists } from '../codes/verification-service.ts'
import type { SessionService } from '../sessions/session-service.ts'
import { requireStrong } from './password-rule.ts'
import { type UserRow, userRepository } from './user-repository.ts'

interface UpdateDeps {
  db: Kysely<AuthDatabase>
  hasher: PasswordHasher
  sessions: SessionService
  codes: CodeSender
  now: () => number
}

export interface UserChange {
  email: string | null
  password: string | null
  data: Record<string, unknown>
  wishes: LinkWishes
}

/** `PUT /user`: metadata, password, change of address. */
export class UpdateService {
  readonly #deps: UpdateDeps

  constructor(deps: UpdateDeps) {
    this.#deps = deps
  }

  async update(caller: Caller, change: UserChange, cause: Cause): Promise<UserRow> {
    const { db, codes } = this.#deps
    const passwordHash = await this.#newHash(caller.user, change.password)
    const updated = await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, caller.user.id)
      if (user === undefined) throw new AuthError('user_not_found', 'User not found')
      if (passwordHash !== null) await this.#setPassword(trx, user, caller.sessionId, passwordHash, cause)
      if (change.email !== null && change.email !== user.email) {
        await this.#startEmailChange(trx, user, change.email, change.wishes)
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

  async #newHash(user: UserRow, password: string | null): Promise<string | null> {
    if (password === null) return null
    requireStrong(password)
    if (user.passwordHash !== null && (await this.#deps.hasher.verify(user.passwordHash, password))) {
      throw new AuthError('same_password', 'New password should be different from the old password.')
    }
    return this.#deps.hasher.hash(password)
  }

  /** Whoever knew the old password is out: other sessions end, mailed links die. */
  async #setPassword(
    trx: Transaction<AuthDatabase>,
    user: UserRow,
    sessionId: string,
    passwordHash: string,
    cause: Cause,
  ): Promise<void> {
    await userRepository.update(trx, user.id, { passwordHash })
    await this.#deps.sessions.revoke(trx, user.id, { allBut: sessionId }, 'password', cause)
    await codeRepository.clear(trx, user.id)
  }

  /** Both addresses get a mail and both must agree. */
  async #startEmailChange(
    trx: Transaction<AuthDatabase>,
    user: UserRow,
    newEmail: string,
    wishes: LinkWishes,
  ): Promise<void> {
    const { codes, now } = this.#deps
    if ((await userRepository.byEmail(trx, newEmail)) !== undefined) throw emailExists()
    await codes.claim(trx, user.id, 'email_change')
    const mail = { userId: user.id, kind: 'email_change', newEmail, wishes } as const
    await codes.send(trx, { ...mail, slot: 'email_change_current', email: user.email })
    await codes.send(trx, { ...mail, slot: 'email_change_new', email: newEmail })
    await userRepository.update(trx, user.id, {
      newEmail,
      emailChangeSentAt: new Date(now()),
      emailChangeAgreed: null,
    })
  }
}

/** Top-level keys are merged; null removes one. */
export function mergeMetadata(
  before: Record<string, unknown>,
  change: Record<string, unknown>,
): Record<string, unknown> {
  const merged = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null)
  return Object.fromEntries(merged)
}
