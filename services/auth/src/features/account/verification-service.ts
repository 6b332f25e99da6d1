import { randomBytes } from 'node:crypto'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely, Transaction } from 'kysely'
import { AccountError } from '../../account-error.ts'
import { sha256 } from '../../crypto/one-time-secret.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { Database, Slot } from '../../db/schema.ts'
import type { CodeRow } from '../credential/code/code-repository.ts'
import * as codeRepository from '../credential/code/code-repository.ts'
import { isCodeDigest } from '../credential/code/code-sender.ts'
import { flowNotFound, requireExchangeable } from '../credential/code/pkce-exchange.ts'
import { countWrongCodes, resetWrongCodes } from '../credential/code/wrong-code-repository.ts'
import { findCodeBudgets } from '../credential/code/wrong-codes.ts'
import type { AccountNetworks } from '../limits/account-networks.ts'
import type { SecurityNotices } from '../mail/security-notices.ts'
import type { KeptRestrictions } from '../registration/kept-restrictions.ts'
import type { Registration } from '../registration/registration.ts'
import { isSignUpClient } from '../registration/sign-up-client.ts'
import type { SessionRow } from '../session/session-repository.ts'
import type { SessionService } from '../session/session-service.ts'
import type { Client, SignInHistory } from '../session/sign-in-history.ts'
import { isAnonymous } from '../user/require-address.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { replaceEmail } from './replace-email.ts'

export const ONE_SIDE_CONFIRMED_MESSAGE =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email'

interface VerificationDeps {
  db: Kysely<Database>
  vault: Vault
  sessions: SessionService
  signIns: SignInHistory
  registration: Registration
  keptRestrictions: KeptRestrictions
  networks: AccountNetworks
  notices: SecurityNotices
  logger: Logger
  now: () => number
}

/** Result of redeeming a token: a session, a code to exchange for one, or an email change confirmed by one side. */
export type Outcome =
  | { kind: 'session'; session: SessionRow; user: UserRow }
  | { kind: 'code'; code: string }
  | { kind: 'one_side_confirmed' }

type Redeem = 'session' | 'code'

/** A valid one-time token, and how the user presented it. */
interface Presented {
  row: CodeRow
  by: 'link' | 'code'
}

/** Redeems one-time tokens (docs/protocols/auth.md, "One-time tokens"). */
export class VerificationService {
  readonly #deps: VerificationDeps

  constructor(deps: VerificationDeps) {
    this.#deps = deps
  }

  /** Redeems the token of a link. With `redeem: 'code'` a PKCE token yields a code, any other token a session. */
  async redeemToken(
    tokenHash: string,
    slots: readonly Slot[],
    redeem: Redeem,
    client: Client,
  ): Promise<Outcome> {
    const { db, now } = this.#deps
    const row = await codeRepository.byDigest(db, sha256(tokenHash))
    const isValid = row !== undefined && slots.includes(row.slot) && row.expiresAt.getTime() > now()
    if (!isValid) throw linkExpired()
    const outcome = await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, row.userId)
      return user === undefined ? linkExpired() : this.#redeem(trx, user, { row, by: 'link' }, redeem, client)
    })
    if (outcome instanceof AccountError) throw outcome
    return outcome
  }

  /**
   * Redeems a six-digit code. Wrong codes are counted per user, because six digits can be guessed. The statements are the
   * same for every wrong code: also for an unknown email, and for one whose codes are refused.
   */
  async redeemCode(email: string, code: string, slots: readonly Slot[], client: Client): Promise<Outcome> {
    const { db, logger, now } = this.#deps
    let refusedIds: string[] = []
    const outcome = await db.transaction().execute(async (trx) => {
      const rows = await codeRepository.byEmail(trx, email, slots, new Date(now()))
      const users = await userRepository.lockByIds(
        trx,
        rows.map(({ userId }) => userId),
      )
      const budgets = await findCodeBudgets(trx, this.#deps, users, client.ip)
      const open = rows.filter(({ userId }) => budgets.get(userId)?.isUsedUp === false)
      const row = this.#matching(open, code)
      const user = users.find(({ id }) => id === row?.userId)
      if (row !== undefined && user !== undefined) {
        return this.#redeem(trx, user, { row, by: 'code' }, 'session', client)
      }
      const counted = [...budgets.values()].filter((budget) => !budget.isUsedUp)
      refusedIds = counted.map(({ userId }) => userId)
      // The error is returned, not thrown, because the counts must be committed.
      await countWrongCodes(trx, counted, new Date(now()))
      return codeExpired()
    })
    if (!(outcome instanceof AccountError)) return outcome
    const fields = { userIds: refusedIds, reason: outcome.reason, reqId: client.cause.correlationId }
    logger.info(fields, 'mailed code refused')
    void this.#deps.signIns.failed(refusedIds, 'code', client)
    throw outcome
  }

  /** The token with this code. Compares all of them, and as many as one email usually has where there are none. */
  #matching(rows: readonly CodeRow[], code: string): CodeRow | undefined {
    const { vault } = this.#deps
    const compared = rows.length === 0 ? [NO_CODE] : rows
    const matches = compared.filter(({ userId, slot, codeDigest }) =>
      isCodeDigest(vault, codeDigest, { userId, slot, code }),
    )
    return rows.find((row) => matches.includes(row))
  }

  async #redeem(
    trx: Transaction<Database>,
    user: UserRow,
    { row, by }: Presented,
    redeem: Redeem,
    client: Client,
  ): Promise<Outcome | AccountError> {
    const now = new Date(this.#deps.now())
    if (await userRepository.isBanned(trx, user.id, now)) return AccountError.banned()
    if (!(await codeRepository.consume(trx, row))) return linkExpired()
    const isEmailChange = row.slot === 'email_change_current' || row.slot === 'email_change_new'
    if (isEmailChange) {
      const side = row.slot === 'email_change_new' ? 'new' : 'current'
      const outcome = await this.#confirmEmailChange(trx, user, side, now, client)
      if (outcome !== 'done') return outcome
    }
    // The session that requested the change may be another person's, who must not get access to the account.
    if (isAnonymous(user)) await this.#deps.sessions.revoke(trx, user.id, 'all', 'password', client.cause)
    else if (user.emailConfirmedAt === null) await this.#adoptSignUp(trx, user, row, now, client)
    await codeRepository.clear(trx, user.id)
    await resetWrongCodes(trx, user.id)
    await userRepository.update(trx, user.id, {
      emailConfirmedAt: user.emailConfirmedAt ?? now,
      updatedAt: now,
    })
    if (redeem === 'code' && row.codeChallenge !== null && row.codeChallengeMethod !== null) {
      return this.#issueAuthCode(trx, user.id, row.codeChallenge, row.codeChallengeMethod, now)
    }
    return { kind: 'session', ...(await this.#deps.sessions.begin(trx, user.id, 'otp', client, by)) }
  }

  /**
   * Handles the first confirmation of an account: it adopts the sign-up that requested this mail, if any. The password of
   * the sign-up is kept only if the confirmation comes from the same network and browser. Otherwise a user who confirms
   * another person's sign-up would get an account with that person's password.
   */
  async #adoptSignUp(
    trx: Transaction<Database>,
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

  /** Records that one side confirmed the email change. The change takes effect when both sides have. */
  async #confirmEmailChange(
    trx: Transaction<Database>,
    user: UserRow,
    side: 'current' | 'new',
    now: Date,
    { cause }: Client,
  ): Promise<'done' | Outcome | AccountError> {
    if (user.newEmail === null) return linkExpired()
    if (user.emailChangeAgreed === null || user.emailChangeAgreed === side) {
      await userRepository.update(trx, user.id, { emailChangeAgreed: side, updatedAt: now })
      return { kind: 'one_side_confirmed' }
    }
    // An account that registered the new email in the meantime keeps it.
    if ((await userRepository.byEmail(trx, user.newEmail)) !== undefined) return emailExists()
    const change = { user, email: user.newEmail, confirmedAt: now, now }
    return (await replaceEmail(trx, this.#deps, change, cause)) ? AccountError.banned() : 'done'
  }

  async #issueAuthCode(
    trx: Transaction<Database>,
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

  /** Exchanges a PKCE code and its verifier for a session. */
  async exchangeCode(code: string, verifier: string, client: Client): Promise<Record<string, unknown>> {
    const { db, sessions, now } = this.#deps
    const digest = sha256(code)
    const row = requireExchangeable(await codeRepository.authCode(db, digest), verifier, now())
    const started = await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, row.userId)
      if (user === undefined) throw flowNotFound()
      if (await userRepository.isBanned(trx, user.id, new Date(now()))) throw AccountError.banned()
      if (!(await codeRepository.consumeAuthCode(trx, digest))) throw flowNotFound()
      return sessions.begin(trx, user.id, row.method, client)
    })
    return sessions.present(started)
  }
}

/** Compared with where an email has no token. */
const NO_CODE = { userId: '', slot: 'recovery', codeDigest: Buffer.alloc(32) } as const

const linkExpired = (): AccountError =>
  new AccountError('token_expired', 'Email link is invalid or has expired')
const codeExpired = (): AccountError => new AccountError('token_expired', 'Token has expired or is invalid')
/** The refusal of an email that another account has. */
export const emailExists = (): AccountError =>
  new AccountError('email_taken', 'A user with this email address has already been registered')
