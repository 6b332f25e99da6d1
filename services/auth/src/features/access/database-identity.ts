import type { Role } from '@looptide/contracts/common'
import type { AccessList } from '@looptide/service-kit/access-list'
import { InvalidTokenError, type TokenClaims, type TokenVerifier } from '@looptide/service-kit/tokens'
import type { Kysely } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'
import type { AccessTokens } from '../keys/access-tokens.ts'
import { sessionRepository } from '../sessions/session-repository.ts'

const REMEMBERED_ROLES = 10_000

/**
 * How auth itself judges a bearer outside its protocol: with its own keys, and by its own tables instead
 * of the access list that others hold. Session and role come from one query at each request.
 */
export class DatabaseIdentity implements TokenVerifier, AccessList {
  readonly loaded = true
  readonly #db: Kysely<AuthDatabase>
  readonly #tokens: AccessTokens
  /** Roles as the last verification of each person found them; the kit asks right after it. */
  readonly #roles = new Map<string, Role>()

  constructor(db: Kysely<AuthDatabase>, tokens: AccessTokens) {
    this.#db = db
    this.#tokens = tokens
  }

  async verify(token: string): Promise<TokenClaims> {
    const claims = await this.#tokens.verify(token)
    const row = await this.#db
      .selectFrom('sessions')
      .leftJoin('userRoles', 'userRoles.userId', 'sessions.userId')
      .select(['userRoles.role', 'sessions.arrivedCounter'])
      .where('sessions.id', '=', claims.sessionId)
      .where('sessions.userId', '=', claims.userId)
      .executeTakeFirst()
    if (row === undefined) throw new InvalidTokenError('the session has ended')
    await sessionRepository.recordArrival(this.#db, claims.sessionId, claims.generation, row.arrivedCounter)
    if (this.#roles.size >= REMEMBERED_ROLES) this.#roles.clear()
    this.#roles.set(claims.userId, row.role ?? 'user')
    return claims
  }

  /** A session that has ended does not pass {@link verify}. */
  isRevoked(): boolean {
    return false
  }

  roleOf(userId: string): Role {
    return this.#roles.get(userId) ?? 'user'
  }

  /** Nothing to listen to: every request asks anew. */
  onChange(): () => void {
    return () => undefined
  }
}
