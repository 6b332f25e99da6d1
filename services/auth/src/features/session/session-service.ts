import { randomBytes } from 'node:crypto'
import type { OutdatedSession } from '@looptide/contracts/http/users'
import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { clientNetworkOf } from '@looptide/service-kit/limits/client-network'
import type { Kysely, Transaction } from 'kysely'
import { AccountError } from '../../account-error.ts'
import {
  addRotation,
  decideRefresh,
  isGenuine,
  makeRefreshToken,
  type ReadToken,
  readRefreshToken,
} from '../../crypto/refresh-token.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { AuthMethod, Database, FactorMethod, SignInMethod } from '../../db/schema.ts'
import type { AccessTokens } from '../keys/access-tokens.ts'
import type { SecurityNotices } from '../mail/security-notices.ts'
import { partsOf } from '../user/present-current-user.ts'
import { isVerified } from '../user/present-factor.ts'
import { appMetadataOf } from '../user/present-identities.ts'
import { presentUser } from '../user/present-user.ts'
import { type UserRow, userRepository } from '../user/user-repository.ts'
import { hasStaffRole } from '../user/user-role.ts'
import { publishOutdated, revokeSessions } from './revoke-sessions.ts'
import { type SessionChoice, type SessionRow, sessionRepository } from './session-repository.ts'
import type { Client, SignInHistory } from './sign-in-history.ts'

/** Time without use after which a session expires, in ms. */
export const IDLE_LIMIT_MS = 60 * 86_400_000
/**
 * Time after which a user with a role must sign in or prove the second factor again, in ms (NIST SP 800-63B). Viewers need
 * not, so that a television that is used every day stays signed in.
 */
const STAFF_SESSION_LIMIT_MS = 30 * 86_400_000

/** The stored time of an anonymous user's last use is at most this old while the user uses a session, in ms. */
const SEEN_PRECISION_MS = 86_400_000

export type { Client } from './sign-in-history.ts'

interface SessionDeps {
  db: Kysely<Database>
  vault: Vault
  tokens: AccessTokens
  notices: SecurityNotices
  signIns: SignInHistory
  refreshReuseIntervalS: number
  /** Maximum number of sessions per user. A further one ends the least recently used session. */
  sessionsPerUser: number
  now: () => number
}

type RefreshResult = { session: SessionRow; user: UserRow } | AccountError

/** Sessions: started at sign-in, continued by refresh tokens, ended by sign-out. */
export class SessionService {
  readonly #deps: SessionDeps

  constructor(deps: SessionDeps) {
    this.#deps = deps
  }

  /**
   * Starts a session and updates the user's sign-in time, in the caller's transaction. The caller must have locked the
   * user's row. `signInMethod` is what the user's sign-in history shows.
   */
  async begin(
    trx: Transaction<Database>,
    userId: string,
    method: AuthMethod,
    client: Client,
    signInMethod: SignInMethod = method === 'otp' ? 'link' : method,
  ): Promise<{ session: SessionRow; user: UserRow }> {
    const now = new Date(this.#deps.now())
    const before = await userRepository.byId(trx, userId)
    if (before !== undefined) await this.#deps.signIns.succeeded(trx, before, signInMethod, client)
    const session: SessionRow = {
      id: newId(now.getTime()),
      userId,
      counter: 1,
      tokenSalt: randomBytes(16),
      method,
      createdAt: now,
      refreshedAt: now,
      recentRotations: [],
      arrivedCounter: 0,
      userAgent: client.userAgent,
      ip: client.ip,
      factorId: null,
      factorMethod: null,
      factorVerifiedAt: null,
    }
    await sessionRepository.insert(trx, session)
    const keep = this.#deps.sessionsPerUser - 1
    await this.revoke(trx, userId, { but: session.id, keep }, 'displaced', client.cause)
    const user = await userRepository.update(trx, userId, { lastSignInAt: now })
    return { session, user }
  }

  /**
   * Raises a session to `aal2` after its user has proved a second factor, in the caller's transaction. The user's other
   * sessions without one end (as in GoTrue), and the tokens from before are refused. The caller must have locked the user's
   * row.
   *
   * The token counter skips a number: the refresh token of the session before the second factor is neither the active
   * one nor its parent, so it cannot obtain a session with `aal2`.
   */
  async elevate(
    trx: Transaction<Database>,
    sessionId: string,
    factor: { id: string; method: FactorMethod },
    cause: Cause,
  ): Promise<SessionRow> {
    const session = await sessionRepository.lock(trx, sessionId)
    if (session === undefined) throw notFound()
    const now = new Date(this.#deps.now())
    const elevated: SessionRow = {
      ...session,
      counter: session.counter + 2,
      refreshedAt: now,
      recentRotations: [],
      factorId: factor.id,
      factorMethod: factor.method,
      factorVerifiedAt: now,
    }
    await sessionRepository.elevate(trx, elevated)
    await this.revoke(trx, session.userId, { withoutFactorBut: sessionId }, 'factor', cause)
    const { userId, counter } = elevated
    await this.outdate(trx, userId, [{ id: sessionId, minGeneration: counter }], cause)
    return elevated
  }

  /**
   * Returns the user's sessions that were verified with one of these factors to `aal1`, in the caller's transaction. Their
   * tokens are refused until they are refreshed.
   */
  async downgrade(
    trx: Transaction<Database>,
    userId: string,
    factorIds: readonly string[],
    cause: Cause,
  ): Promise<void> {
    const sessions = await sessionRepository.downgrade(trx, userId, factorIds)
    const outdated = sessions.map(({ id, counter }) => ({ id, minGeneration: counter + 1 }))
    await this.outdate(trx, userId, outdated, cause)
  }

  /**
   * Makes every process refuse the tokens of these sessions and personal access tokens below a generation, in the caller's
   * transaction.
   */
  outdate(
    trx: Transaction<Database>,
    userId: string,
    sessions: readonly OutdatedSession[],
    cause: Cause,
  ): Promise<void> {
    return publishOutdated(trx, sessions, {
      userId,
      cause,
      now: new Date(this.#deps.now()),
      accessTokenTtlS: this.#deps.tokens.ttlS,
    })
  }

  /** The response that carries a session (docs/protocols/auth.md, "Session"). */
  async present({ session, user }: { session: SessionRow; user: UserRow }): Promise<Record<string, unknown>> {
    const parts = await partsOf(this.#deps.db, user.id)
    const needsFactor = session.factorVerifiedAt === null && parts.factors.some(isVerified)
    const { token, expiresAt } = await this.#deps.tokens.issue(
      { ...user, appMetadata: appMetadataOf(user, parts.identities) },
      { ...session, needsFactor },
    )
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: this.#deps.tokens.ttlS,
      expires_at: expiresAt,
      refresh_token: makeRefreshToken(this.#deps.vault, session.tokenSalt, session.id, session.counter),
      user: presentUser(user, parts),
    }
  }

  /** Continues a session (docs/protocols/auth.md, "Refresh"). */
  async refresh(refreshToken: string, client: Client): Promise<Record<string, unknown>> {
    const token = readRefreshToken(refreshToken)
    // The code of a malformed token, with the text that clients match.
    if (token === null) throw AccountError.invalidInput(NOT_FOUND)
    const result = await this.#deps.db
      .transaction()
      // Errors are returned, not thrown, because the deletions that accompany them must be committed.
      .execute((trx): Promise<RefreshResult> => this.#refreshIn(trx, token, client))
    if (result instanceof AccountError) {
      this.#deps.notices.wake()
      throw result
    }
    await this.#recordUse(result.user)
    return this.present(result)
  }

  /** Keeps an anonymous user from being deleted. Not in the transaction, which locks the session before the user. */
  async #recordUse({ id, anonymousSeenAt }: UserRow): Promise<void> {
    const nowMs = this.#deps.now()
    if (anonymousSeenAt === null || nowMs - anonymousSeenAt.getTime() < SEEN_PRECISION_MS) return
    await userRepository.recordAnonymousUse(this.#deps.db, id, new Date(nowMs))
  }

  async #refreshIn(trx: Transaction<Database>, token: ReadToken, client: Client): Promise<RefreshResult> {
    const session = await sessionRepository.lock(trx, token.sessionId)
    if (session === undefined) return this.#missingSessionError(trx, token.sessionId)
    if (!isGenuine(this.#deps.vault, session.tokenSalt, token)) return notFound()
    if (token.counter > session.counter) return notFound()
    const user = await userRepository.byId(trx, session.userId)
    if (user === undefined) return notFound()
    const now = new Date(this.#deps.now())
    if (await userRepository.isBanned(trx, user.id, now)) return AccountError.banned()
    if (await this.#hasExpired(trx, session, now.getTime())) {
      await this.#end(trx, session, 'expired', client.cause)
      return new AccountError('session_expired', 'Invalid Refresh Token: Session Expired')
    }
    return this.#useToken(trx, { session, user }, token.counter, client, now)
  }

  async #hasExpired(trx: Transaction<Database>, session: SessionRow, nowMs: number): Promise<boolean> {
    if (nowMs - session.refreshedAt.getTime() > IDLE_LIMIT_MS) return true
    const provedAt = session.factorVerifiedAt ?? session.createdAt
    return nowMs - provedAt.getTime() > STAFF_SESSION_LIMIT_MS && hasStaffRole(trx, session.userId)
  }

  /** Handles a genuine token of a valid session: used for the first time, repeated, or stolen. */
  async #useToken(
    trx: Transaction<Database>,
    { session, user }: { session: SessionRow; user: UserRow },
    counter: number,
    client: Client,
    now: Date,
  ): Promise<RefreshResult> {
    const reuseMs = this.#deps.refreshReuseIntervalS * 1000
    const latest = { counter: session.counter - 1, atMs: session.refreshedAt.getTime() }
    const rotations = [...session.recentRotations, latest]
    const state = {
      active: session.counter,
      rotations,
      arrived: session.arrivedCounter,
      sameClient: isSameClient(session, client),
    }
    const decision = decideRefresh(counter, state, now.getTime(), reuseMs)
    if (decision === 'reused') {
      await this.#end(trx, session, 'reused', client.cause)
      await this.#deps.notices.sessionEnded(trx, user)
      return new AccountError('refresh_token_reused', 'Invalid Refresh Token: Already Used')
    }
    if (decision === 'repeat') return { session, user }
    const rotated: SessionRow = {
      ...session,
      counter: session.counter + 1,
      refreshedAt: now,
      recentRotations: addRotation(session.recentRotations, latest, reuseMs),
      userAgent: client.userAgent,
      ip: client.ip,
    }
    await sessionRepository.rotate(trx, rotated)
    return { session: rotated, user }
  }

  /** A site ban deletes all sessions. Their owner still receives `user_banned` as the reason. */
  async #missingSessionError(trx: Transaction<Database>, sessionId: string): Promise<AccountError> {
    const revoked = await sessionRepository.revokedById(trx, sessionId)
    if (revoked?.reason !== 'banned') return notFound()
    const banned = await userRepository.isBanned(trx, revoked.userId, new Date(this.#deps.now()))
    return banned ? AccountError.banned() : notFound()
  }

  async #end(
    trx: Transaction<Database>,
    session: SessionRow,
    reason: 'reused' | 'expired',
    cause: Cause,
  ): Promise<void> {
    await this.revoke(trx, session.userId, { only: session.id }, reason, cause)
  }

  /** Ends sessions of one user, in the caller's transaction. Returns their number. */
  revoke(
    trx: Transaction<Database>,
    userId: string,
    choice: SessionChoice,
    reason: Parameters<typeof revokeSessions>[1]['reason'],
    cause: Cause,
  ): Promise<number> {
    return revokeSessions(trx, {
      userId,
      choice,
      reason,
      cause,
      now: new Date(this.#deps.now()),
      accessTokenTtlS: this.#deps.tokens.ttlS,
    })
  }

  /** Signs the user out of the chosen sessions. */
  async signOut(userId: string, choice: SessionChoice, cause: Cause): Promise<void> {
    await this.#deps.db.transaction().execute((trx) => this.revoke(trx, userId, choice, 'sign_out', cause))
  }
}

/** Whether the client has the network and browser of the session's last refresh. */
const isSameClient = (session: SessionRow, client: Client): boolean =>
  session.userAgent === client.userAgent && networkOf(session.ip) === networkOf(client.ip)

/** The network that rate limits count an IP by; null for none. */
export const networkOf = (ip: string | null): string | null =>
  ip === null ? null : clientNetworkOf(ip).network

const NOT_FOUND = 'Invalid Refresh Token: Refresh Token Not Found'
const notFound = (): AccountError => new AccountError('refresh_token_not_found', NOT_FOUND)
