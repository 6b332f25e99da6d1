import { createHash } from 'node:crypto'
import type { AccessList } from '@looptide/service-kit/access-list'
import { InvalidTokenError, type TokenVerifier } from '@looptide/service-kit/tokens'

/** Whom a token speaks for. The token itself is not kept, only its digest. */
export interface Identity {
  userId: string
  sessionId: string
  expiresAtMs: number
  digest: string
  /** The key its token was signed with. */
  kid: string
}

/**
 * What became of a token: good; `lapsed` was genuine once but has expired or its session has ended;
 * `forged` never was; `unknown` while nobody can tell (the sign-in service is away).
 */
export type TokenVerdict = { identity: Identity } | 'lapsed' | 'forged' | 'unknown'

export const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

export class IdentityChecker {
  readonly #verifier: TokenVerifier
  readonly #access: AccessList

  constructor(verifier: TokenVerifier, access: AccessList) {
    this.#verifier = verifier
    this.#access = access
  }

  /** Never throws. */
  async check(token: string): Promise<TokenVerdict> {
    try {
      const { userId, sessionId, expiresAtMs, kid } = await this.#verifier.verify(token)
      if (!this.#access.loaded) return 'unknown'
      if (this.#access.isRevoked(sessionId)) return 'lapsed'
      return { identity: { userId, sessionId, expiresAtMs, digest: digestOf(token), kid } }
    } catch (error) {
      if (!(error instanceof InvalidTokenError)) return 'unknown'
      return error.reason === 'ERR_JWT_EXPIRED' ? 'lapsed' : 'forged'
    }
  }

  isAdmin(identity: Identity): boolean {
    return this.#access.roleOf(identity.userId) === 'admin'
  }

  /** Moderators and admins. */
  isModerator(identity: Identity): boolean {
    return this.#access.roleOf(identity.userId) !== 'user'
  }

  isCurrent(identity: Identity, nowMs: number): boolean {
    return identity.expiresAtMs > nowMs && !this.#access.isRevoked(identity.sessionId)
  }
}
