import { randomBytes } from 'node:crypto'
import type { Logger } from '@looptide/service-kit/logger'
import type { Kysely, Transaction } from 'kysely'
import { sha256 } from '../../crypto/one-time-secret.ts'
import { provesChallenge } from '../../crypto/pkce.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { AuthDatabase, Slot } from '../../db/schema.ts'
import { AuthError } from '../../protocol/auth-error.ts'
import type { Registration } from '../accounts/registration.ts'
import { isSignUpClient } from '../accounts/sign-up-client.ts'
import { type UserRow, userRepository } from '../accounts/user-repository.ts'
import type { KeptRestrictions } from '../restrictions/kept-restrictions.ts'
import type { SessionRow } from '../sessions/session-repository.ts'
import type { Client, SessionService } from '../sessions/session-service.ts'
import { type CodeRow, codeRepository } from './code-repository.ts'
import { isCodeDigest } from './code-sender.ts'

/** docs/protocols/auth.md §2.9: PKCE codes live this long. */
export const AUTH_CODE_TTL_MS = 300_000
/** Wrong codes of one person after which no code of theirs is taken for the rest of the hour; links are. */
export const MAX_WRONG_CODES = 10
const WRONG_CODES_WINDOW_MS = 3_600_000

export const HALF_WAY = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

interface VerificationDeps {
  db: Kysely<AuthDatabase>
  vault: Vault
  sessions: SessionService
  registration: Registration
  kept: KeptRestrictions
  logger: Logger
  now: () => number
}

/** What came of a token: a session, a code to be exchanged for one, or half of a change of address. */
export type Outcome =
  | { kind: 'session'; session: SessionRow; user: UserRow }
  | { kind: 'code'; code: string }
  | { kind: 'half' }

type Redeem = 'session' | 'code'

/** Spends one-time tokens (docs/protocols/auth.md §2.7). */
export class VerificationService {
  readonly #deps: VerificationDeps

  constructor(deps: VerificationDeps) {
    this.#deps = deps
  }

  /** By the token of a link. A PKCE token gives a code when `redeem` says so, and otherwise a session. */
  async byToken(tokenHash: string, slots: readonly Slot[], redeem: Redeem, client: Client): Promise<Outcome> {
    const { db, now } = this.#deps
    const row = await codeRepository.byDigest(db, sha256(tokenHash))
    const good = row !== undefined && slots.includes(row.slot) && row.expiresAt.getTime() > now()
    if (!good) throw linkExpired()
    const outcome = await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, row.userId)
      return user === undefined ? linkExpired() : this.#redeem(trx, user, row, redeem, client)
    })
    if (outcome instanceof AuthError) throw outcome
    return outcome
  }

  /** By the six digits. Wrong ones are counted per person, as six digits alone are guessable. */
  async byCode(email: string, code: string, slots: readonly Slot[], client: Client): Promise<Outcome> {
    const { db, logger, now } = this.#deps
    const counted = new Set<string>()
    const outcome = await db.transaction().execute(async (trx) => {
      const rows = await codeRepository.byEmail(trx, email, slots, new Date(now()))
      for (const row of rows) {
        const user = await userRepository.lockById(trx, row.userId)
        if (user === undefined || this.#isCapped(user)) continue
        const about = { userId: user.id, slot: row.slot, code }
        const right = isCodeDigest(this.#deps.vault, row.codeDigest, about)
        if (right) return this.#redeem(trx, user, row, 'session', client)
        counted.add(user.id)
      }
      // Refused by a return: the count must be committed.
      for (const userId of counted) await this.#countWrong(trx, userId)
      return codeExpired()
    })
    if (!(outcome instanceof AuthError)) return outcome
    const facts = { userIds: [...counted], code: outcome.code, reqId: client.cause.correlationId }
    logger.info(facts, 'a mailed code was refused')
    throw outcome
  }

  #isCapped(user: UserRow): boolean {
    const sinceMs = user.wrongCodesSince?.getTime() ?? 0
    return user.wrongCodes >= MAX_WRONG_CODES && this.#deps.now() - sinceMs < WRONG_CODES_WINDOW_MS
  }

  async #countWrong(trx: Transaction<AuthDatabase>, userId: string): Promise<void> {
    const user = await userRepository.lockById(trx, userId)
    if (user === undefined) return
    const now = new Date(this.#deps.now())
    const sinceMs = user.wrongCodesSince?.getTime() ?? 0
    const running = now.getTime() - sinceMs < WRONG_CODES_WINDOW_MS
    await userRepository.update(trx, userId, {
      wrongCodes: running ? user.wrongCodes + 1 : 1,
      wrongCodesSince: running ? user.wrongCodesSince : now,
    })
  }

  async #redeem(
    trx: Transaction<AuthDatabase>,
    user: UserRow,
    row: CodeRow,
    redeem: Redeem,
    client: Client,
  ): Promise<Outcome | AuthError> {
    const now = new Date(this.#deps.now())
    if (await userRepository.isBanned(trx, user.id, now)) return AuthError.banned()
    if (!(await codeRepository.spend(trx, row))) return linkExpired()
    const change = row.slot === 'email_change_current' || row.slot === 'email_change_new'
    if (change) {
      const side = row.slot === 'email_change_new' ? 'new' : 'current'
      const outcome = await this.#agree(trx, user, side, now, client)
      if (outcome !== 'done') return outcome
    }
    if (user.emailConfirmedAt === null) await this.#adopt(trx, user, row, now, client)
    await codeRepository.clear(trx, user.id)
    await userRepository.update(trx, user.id, {
      emailConfirmedAt: user.emailConfirmedAt ?? now,
      wrongCodes: 0,
      wrongCodesSince: null,
      updatedAt: now,
    })
    if (redeem === 'code' && row.codeChallenge !== null && row.codeChallengeMethod !== null) {
      return this.#makeCode(trx, user.id, row.codeChallenge, row.codeChallengeMethod, now)
    }
    return { kind: 'session', ...(await this.#deps.sessions.begin(trx, user.id, 'otp', client)) }
  }

  /**
   * The first confirmation: the account becomes that of the sign-up which asked for this mail, if one did. Its password
   * counts only if the confirmation comes from its network and browser: the person who confirms a stranger's sign-up
   * must not be left with the stranger's password.
   */
  async #adopt(
    trx: Transaction<AuthDatabase>,
    user: UserRow,
    row: CodeRow,
    now: Date,
    client: Client,
  ): Promise<void> {
    const { registration, sessions, vault } = this.#deps
    const { cause } = client
    const { email, userMetadata, signUpClient } = row
    const passwordHash = isSignUpClient(vault, signUpClient, email, client) ? row.passwordHash : null
    await sessions.revoke(trx, user.id, 'all', 'password', cause)
    await registration.adopt(
      trx,
      user,
      userMetadata === null ? null : { passwordHash, userMetadata },
      now,
      cause,
    )
  }

  /** One of the two addresses agrees to the change; with the second one it takes place. */
  async #agree(
    trx: Transaction<AuthDatabase>,
    user: UserRow,
    side: 'current' | 'new',
    now: Date,
    { cause }: Client,
  ): Promise<'done' | Outcome | AuthError> {
    if (user.newEmail === null) return linkExpired()
    if (user.emailChangeAgreed === null || user.emailChangeAgreed === side) {
      await userRepository.update(trx, user.id, { emailChangeAgreed: side, updatedAt: now })
      return { kind: 'half' }
    }
    // Whoever registered it meanwhile keeps it.
    if ((await userRepository.byEmail(trx, user.newEmail)) !== undefined) return emailExists()
    await userRepository.update(trx, user.id, {
      email: user.newEmail,
      emailConfirmedAt: now,
      newEmail: null,
      emailChangeAgreed: null,
      emailChangeSentAt: null,
    })
    const { kept, sessions } = this.#deps
    await kept.apply(trx, { id: user.id, email: user.newEmail }, now, cause)
    if (!(await userRepository.isBanned(trx, user.id, now))) return 'done'
    await sessions.revoke(trx, user.id, 'all', 'banned', cause)
    return AuthError.banned()
  }

  async #makeCode(
    trx: Transaction<AuthDatabase>,
    userId: string,
    codeChallenge: string,
    codeChallengeMethod: 's256' | 'plain',
    createdAt: Date,
  ): Promise<Outcome> {
    const code = randomBytes(32).toString('base64url')
    await codeRepository.addAuthCode(trx, {
      codeDigest: sha256(code),
      userId,
      method: 'otp',
      codeChallenge,
      codeChallengeMethod,
      createdAt,
    })
    return { kind: 'code', code }
  }

  /** A PKCE code and the verifier that belongs to it, for a session. */
  async exchange(code: string, verifier: string, client: Client): Promise<Record<string, unknown>> {
    const { db, sessions, now } = this.#deps
    const digest = sha256(code)
    const row = await codeRepository.authCode(db, digest)
    if (row === undefined) throw flowNotFound()
    if (now() - row.createdAt.getTime() > AUTH_CODE_TTL_MS) {
      throw new AuthError('flow_state_expired', 'invalid flow state, flow state has expired')
    }
    const challenge = { challenge: row.codeChallenge, method: row.codeChallengeMethod }
    if (!provesChallenge(challenge, verifier)) {
      throw new AuthError('bad_code_verifier', 'code challenge does not match previously saved code verifier')
    }
    const begun = await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, row.userId)
      if (user === undefined) throw flowNotFound()
      if (await userRepository.isBanned(trx, user.id, new Date(now()))) throw AuthError.banned()
      if (!(await codeRepository.spendAuthCode(trx, digest))) throw flowNotFound()
      return sessions.begin(trx, user.id, row.method, client)
    })
    return sessions.present(begun)
  }
}

const linkExpired = (): AuthError => new AuthError('otp_expired', 'Email link is invalid or has expired')
const codeExpired = (): AuthError => new AuthError('otp_expired', 'Token has expired or is invalid')
const flowNotFound = (): AuthError =>
  new AuthError('flow_state_not_found', 'invalid flow state, no valid flow state found')
export const emailExists = (): AuthError =>
  new AuthError('email_exists', 'A user with this email address has already been registered')
