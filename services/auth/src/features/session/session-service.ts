import { randomBytes } from 'node:crypto'
import type { OutdatedSession } from '@looptide/contracts/http/users'
import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Kysely, Transaction } from 'kysely'
import { AccountError } from '../../account-error.ts'
import { makeRefreshToken } from '../../crypto/refresh-token.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { AuthMethod, Database, FactorMethod, SignInMethod } from '../../db/schema.ts'
import type { AccessTokens } from '../keys/access-tokens.ts'
import { partsOf } from '../user/present-current-user.ts'
import { isVerified } from '../user/present-factor.ts'
import { appMetadataOf } from '../user/present-identities.ts'
import { presentUser } from '../user/present-user.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { publishOutdated, revokeSessions } from './revoke-sessions.ts'
import type { SessionChoice, SessionRow } from './session-repository.ts'
import * as sessionRepository from './session-repository.ts'
import type { Client, SignInHistory } from './sign-in-history.ts'

interface SessionDeps {
  db: Kysely<Database>
  vault: Vault
  tokens: AccessTokens
  signIns: SignInHistory
  /** Maximum number of sessions per user. A further one ends the least recently used session. */
  sessionsPerUser: number
  now: () => number
}

/** Sessions: started at sign-in, ended by sign-out. Refresh tokens continue them (refresh-service.ts). */
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
      deviceName: client.deviceName ?? null,
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
    if (session === undefined) throw AccountError.refreshTokenNotFound()
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
