import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Kysely, Transaction } from 'kysely'
import { AccountError } from '../../account-error.ts'
import {
  addRotation,
  decideRefresh,
  isGenuine,
  type ReadToken,
  readRefreshToken,
} from '../../crypto/refresh-token.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import type { SecurityNotices } from '../mail/security-notices.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { hasStaffRole } from '../user/user-role.ts'
import type { SessionRow } from './session-repository.ts'
import * as sessionRepository from './session-repository.ts'
import type { SessionService } from './session-service.ts'
import { type Client, networkOf } from './sign-in-history.ts'

/** Time without use after which a session expires, in ms. */
export const IDLE_LIMIT_MS = 60 * 86_400_000
/**
 * Time after which a user with a role must sign in or prove the second factor again, in ms (NIST SP 800-63B). Viewers need
 * not, so that a television that is used every day stays signed in.
 */
const STAFF_SESSION_LIMIT_MS = 30 * 86_400_000

/** The stored time of an anonymous user's last use is at most this old while the user uses a session, in ms. */
const SEEN_PRECISION_MS = 86_400_000

interface RefreshDeps {
  db: Kysely<Database>
  vault: Vault
  sessions: SessionService
  notices: SecurityNotices
  refreshReuseIntervalS: number
  now: () => number
}

type RefreshResult = { session: SessionRow; user: UserRow } | AccountError

/** Continues sessions: exchanges refresh tokens, and ends the session of one that was stolen. */
export class RefreshService {
  readonly #deps: RefreshDeps

  constructor(deps: RefreshDeps) {
    this.#deps = deps
  }

  /** Continues a session (docs/protocols/auth.md, "Refresh"). */
  async refresh(refreshToken: string, client: Client): Promise<Record<string, unknown>> {
    const token = readRefreshToken(refreshToken)
    // The code of a malformed token, with the text that clients match.
    if (token === null) throw AccountError.invalidInput(notFound().message)
    const result = await this.#deps.db
      .transaction()
      // Errors are returned, not thrown, because the deletions that accompany them must be committed.
      .execute((trx): Promise<RefreshResult> => this.#refreshIn(trx, token, client))
    if (result instanceof AccountError) {
      this.#deps.notices.wake()
      throw result
    }
    await this.#recordUse(result.user)
    return this.#deps.sessions.present(result)
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
    await this.#deps.sessions.revoke(trx, session.userId, { only: session.id }, reason, cause)
  }
}

/** Whether the client has the network and browser of the session's last refresh. */
const isSameClient = (session: SessionRow, client: Client): boolean =>
  session.userAgent === client.userAgent && networkOf(session.ip) === networkOf(client.ip)

const notFound = (): AccountError => AccountError.refreshTokenNotFound()
