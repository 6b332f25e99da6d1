import { hash } from 'node:crypto'
import { may, type Permission } from '@looptide/contracts/permissions'
import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { type AccessList, roleOfSession } from '@looptide/service-kit/identity/access-list'
import {
  InvalidTokenError,
  type TokenClaims,
  type TokenVerifier,
} from '@looptide/service-kit/identity/tokens'

/** The user and session of a verified access token. Only the token's digest is kept. */
export interface Identity {
  userId: string
  /** The user signed in without an account. */
  isAnonymous: boolean
  sessionId: string
  /** See `TokenClaims.generation`. */
  generation: number
  expiresAtMs: number
  digest: string
  /** Id of the key that signed the token. */
  kid: string
  /** `aal2` after a second factor. */
  aal: TokenClaims['aal']
  /** The session is of a paired device. */
  isDevice: boolean
}

/**
 * The result of checking an access token. `expired`: the signature is valid, but the token has expired or its session was
 * revoked or has newer tokens. `invalid`: not a token of this issuer. `unknown`: it cannot be verified because auth is unreachable.
 */
export type TokenResult = { identity: Identity } | 'expired' | 'invalid' | 'unknown'

/** SHA-256 of a token in base64url, by which it is remembered without being kept. */
export const digestOf = (token: string): string => hash('sha256', token, 'base64url')

/** Verifies access tokens and reads roles. */
export class IdentityChecker {
  readonly #verifier: TokenVerifier
  readonly #access: AccessList

  constructor(verifier: TokenVerifier, access: AccessList) {
    this.#verifier = verifier
    this.#access = access
  }

  /** Never throws. */
  async check(token: string): Promise<TokenResult> {
    try {
      const claims = await this.#verifier.verify(token)
      // Personal access tokens are for `/api` only.
      if (claims.scopes !== null && !claims.isDevice) return 'invalid'
      if (!this.#access.loaded) return 'unknown'
      if (this.#access.isRevoked(claims)) return 'expired'
      const { userId, isAnonymous, sessionId, generation, expiresAtMs, kid, aal, isDevice } = claims
      const digest = digestOf(token)
      return {
        identity: { userId, isAnonymous, sessionId, generation, expiresAtMs, digest, kid, aal, isDevice },
      }
    } catch (error) {
      if (!(error instanceof InvalidTokenError)) return 'unknown'
      return error.reason === 'ERR_JWT_EXPIRED' ? 'expired' : 'invalid'
    }
  }

  /**
   * Checks what a socket presents as its access token. Null for its API key, which counts as no token: realtime-js up to
   * 2.11 sends it while no user is signed in. `apiKey`: that of the socket's handshake. Never throws.
   */
  async checkPresented(token: string, apiKey: string): Promise<TokenResult | null> {
    if (token === PUBLIC_API_KEY) return null
    const result = await this.check(token)
    return result === 'invalid' && token === apiKey ? null : result
  }

  /** Whether the user's role allows this, in this session. */
  may(identity: Identity, permission: Permission): boolean {
    return may(roleOfSession(this.#access, identity).role, permission)
  }

  /** Whether the token has not expired and its session is not revoked. */
  isCurrent(identity: Identity, nowMs: number): boolean {
    return identity.expiresAtMs > nowMs && !this.#access.isRevoked(identity)
  }
}
