import { InvalidTokenError, type TokenClaims, toClaims } from '@looptide/service-kit/tokens'
import { decodeProtectedHeader, errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import type { AuthMethod } from '../../db/schema.ts'
import { ALGORITHM, type SigningKeys } from './signing-keys.ts'

export interface TokenSubject {
  id: string
  email: string
  userMetadata: Record<string, unknown>
}

/** What an access token says to auth itself. */
export interface AccessClaims extends TokenClaims {
  /** Number of the refresh token it was issued with; 0 in tokens older than this claim. */
  generation: number
}

interface TokenDeps {
  keys: SigningKeys
  issuer: string
  ttlS: number
  now: () => number
}

/** What `app_metadata` says of every account here; it never comes from a user. */
export const APP_METADATA = { provider: 'email', providers: ['email'] } as const

/** Makes and reads access tokens (docs/protocols/auth.md §1.4). */
export class AccessTokens {
  readonly #deps: TokenDeps

  constructor(deps: TokenDeps) {
    this.#deps = deps
  }

  get ttlS(): number {
    return this.#deps.ttlS
  }

  /** `expiresAt` in whole seconds since the epoch: the token's `exp`. */
  async issue(
    subject: TokenSubject,
    session: { id: string; method: AuthMethod; createdAt: Date; counter: number },
  ): Promise<{ token: string; expiresAt: number }> {
    const { keys, issuer, ttlS, now } = this.#deps
    const issuedAt = Math.floor(now() / 1000)
    const expiresAt = issuedAt + ttlS
    const { kid, key } = await keys.signer()
    const token = await new SignJWT({
      email: subject.email,
      phone: '',
      role: 'authenticated',
      app_metadata: APP_METADATA,
      user_metadata: subject.userMetadata,
      aal: 'aal1',
      amr: [{ method: session.method, timestamp: Math.floor(session.createdAt.getTime() / 1000) }],
      session_id: session.id,
      // Ours: presented to auth, it shows that the refresh token issued with it has arrived.
      refresh_generation: session.counter,
      is_anonymous: false,
    })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(issuer)
      .setSubject(subject.id)
      .setAudience('authenticated')
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(key)
    return { token, expiresAt }
  }

  /** Throws {@link InvalidTokenError} for a token that is not ours, altered or out of date. */
  async verify(token: string): Promise<AccessClaims> {
    if (token.length > 8192) throw new InvalidTokenError('token is too long')
    try {
      const { kid } = decodeProtectedHeader(token)
      if (kid === undefined) throw new InvalidTokenError('the key id is missing')
      const { payload } = await jwtVerify(token, await this.#deps.keys.resolver(kid), {
        algorithms: [ALGORITHM],
        issuer: this.#deps.issuer,
        audience: 'authenticated',
        currentDate: new Date(this.#deps.now()),
        requiredClaims: ['sub', 'exp', 'session_id'],
      })
      const { refresh_generation: generation } = payload
      return { ...toClaims(payload, kid), generation: typeof generation === 'number' ? generation : 0 }
    } catch (error) {
      if (error instanceof joseErrors.JWTExpired) throw new InvalidTokenError('token is expired')
      if (error instanceof joseErrors.JOSEError) throw new InvalidTokenError(error.message)
      if (error instanceof TypeError) throw new InvalidTokenError('token is malformed')
      throw error
    }
  }
}
