import type { Role } from '@looptide/contracts/common'
import type { AccessList } from '@looptide/service-kit/identity/access-list'
import {
  InvalidTokenError,
  requireFactor,
  type TokenClaims,
  type TokenVerifier,
} from '@looptide/service-kit/identity/tokens'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { AccessTokens } from '../keys/access-tokens.ts'
import { findSessionProofs, findTokenRole } from './proof-repository.ts'
import * as sessionRepository from './session-repository.ts'

const MAX_CACHED_ROLES = 10_000

type ReadIdentity = { role: Role } & Partial<
  Pick<TokenClaims, 'signedInAtMs' | 'hasFactor' | 'factorVerifiedAtMs'>
>

/**
 * Identifies the users of requests to auth outside the auth protocol. It verifies tokens with auth's own keys and reads
 * sessions, their proofs and roles from auth's tables, in one query per request. Other services use a cached access list
 * instead.
 */
export class DatabaseIdentity implements TokenVerifier, AccessList {
  readonly loaded = true
  readonly staffNeedsFactor: boolean
  readonly #db: Kysely<Database>
  readonly #tokens: AccessTokens
  /** Role of each user at their last verification. service-kit reads it right after `verify`. */
  readonly #roles = new Map<string, Role>()

  constructor(db: Kysely<Database>, tokens: AccessTokens, staffNeedsFactor: boolean) {
    this.staffNeedsFactor = staffNeedsFactor
    this.#db = db
    this.#tokens = tokens
  }

  async verify(token: string): Promise<TokenClaims> {
    const presented = requireFactor(await this.#tokens.verify(token))
    const isSession = presented.scopes === null || presented.isDevice
    const { role, ...proofs } = await (isSession ? this.#readSession(presented) : this.#readToken(presented))
    if (this.#roles.size >= MAX_CACHED_ROLES) this.#roles.clear()
    this.#roles.set(presented.userId, role)
    return { ...presented, ...proofs }
  }

  /** The role of a session's user, and what the session has proved. */
  async #readSession({ sessionId, userId, generation, aal, isDevice }: TokenClaims): Promise<ReadIdentity> {
    const row = await findSessionProofs(this.#db, sessionId, userId)
    if (row === undefined) throw new InvalidTokenError('the session has ended')
    if (generation < (row.minGeneration ?? 0)) throw new InvalidTokenError('the session has newer tokens')
    await sessionRepository.recordArrival(this.#db, sessionId, generation, row.arrivedCounter)
    return {
      role: row.role ?? 'user',
      signedInAtMs: isDevice ? null : row.createdAt.getTime(),
      hasFactor: Boolean(row.hasFactor),
      factorVerifiedAtMs: aal === 'aal2' ? (row.factorVerifiedAt?.getTime() ?? null) : null,
    }
  }

  /** The role of the owner of a personal access token. */
  async #readToken({ sessionId, userId, generation }: TokenClaims): Promise<ReadIdentity> {
    const row = await findTokenRole(this.#db, { tokenId: sessionId, userId, generation })
    if (row === undefined) throw new InvalidTokenError('the personal access token was revoked')
    return { role: row.role ?? 'user' }
  }

  /** Always false: {@link verify} refuses the tokens of ended sessions. */
  isRevoked(): boolean {
    return false
  }

  roleOf(userId: string): Role {
    return this.#roles.get(userId) ?? 'user'
  }

  /** Never calls back: every request reads the current state. */
  onChange(): () => void {
    return () => undefined
  }
}
