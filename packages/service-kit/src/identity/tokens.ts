import { hash } from 'node:crypto'
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, errors as joseErrors, jwtVerify } from 'jose'
import { errors } from '../http/errors.ts'
import { internalFetch } from '../tls/internal-client.ts'

/** Claims of a valid access token. `expiresAtMs` in epoch ms. */
export interface TokenClaims {
  userId: string
  sessionId: string
  /** Number of the refresh token that it was issued with; 0 in tokens older than this claim. */
  generation: number
  email: string
  /** The user signed in without an account. */
  isAnonymous: boolean
  /** When the session was started, in epoch ms. Null for a personal access token and a device, which no sign-in accompanies. */
  signedInAtMs: number | null
  expiresAtMs: number
  /** The key it was signed with. */
  kid: string
  /** Authenticator assurance level: `aal2` after a second factor. */
  aal: 'aal1' | 'aal2'
  /** When the second factor was verified, in epoch ms. Null if the session has none, and for a personal access token. */
  factorVerifiedAtMs: number | null
  /** The user has a second factor, with which the session may or may not have been verified. */
  hasFactor: boolean
  /** The user has a second factor that the session was not verified with. Only auth accepts such a token. */
  needsFactor: boolean
  /**
   * Scopes of the personal access token that it acts for, or of a paired device (`token-scopes.ts`). Null for other
   * sessions, which have no limits.
   */
  scopes: readonly string[] | null
  /** The session is of a device that was paired with a code (docs/decisions/0112). */
  isDevice: boolean
}

/** The token is forged, altered or expired. An outage of auth is a different error. */
export class InvalidTokenError extends Error {
  /** `ERR_JWT_EXPIRED` for a genuine token that has expired. */
  readonly reason: string
  constructor(reason: string) {
    super(`invalid JWT: unable to parse or verify signature, ${reason}`)
    this.name = 'InvalidTokenError'
    this.reason = reason
  }
}

/** The user has a second factor, and the session was not verified with it yet. */
export class SecondFactorPendingError extends InvalidTokenError {
  constructor() {
    super('the second factor is missing')
  }
}

/** Returns the claims. Throws a {@link SecondFactorPendingError} if the second factor is missing. */
export function requireFactor<T extends TokenClaims>(claims: T): T {
  if (claims.needsFactor) throw new SecondFactorPendingError()
  return claims
}

export interface TokenVerifier {
  /** Throws {@link InvalidTokenError} for an invalid token, `service_unavailable` if no key could be loaded yet. */
  verify(token: string): Promise<TokenClaims>
}

/** The accepted algorithms. They do not depend on the token (RFC 8725 §3.1). */
const ALGORITHMS = ['ES256']
const KEYS_FRESH_MS = 600_000
const REFETCH_COOLDOWN_MS = 1000
const CACHED_TOKENS = 20_000
const REMEMBERED_REVOKED_KEYS = 1000

/** The `iss` claim of every token of the site at `siteUrl`. */
export const issuerOf = (siteUrl: string): string => new URL('/auth/v1', siteUrl).href

/**
 * Verifies tokens with auth's published keys. Keys are cached for ten minutes, fetched again for an unknown `kid`, and
 * used further while auth is unavailable. Verified tokens are cached by digest, so a viewer who joins five topics is
 * verified once.
 */
export class JwksTokenVerifier implements TokenVerifier {
  readonly #url: string
  readonly #now: () => number
  readonly #issuer: string
  readonly #revokedKeys = new Set<string>()
  /** Verified claims by the token's digest. Not `lru-cache`, which would allocate the maximum at once in every process. */
  readonly #verified = new Map<string, TokenClaims>()
  #keys: ReturnType<typeof createLocalJWKSet> | undefined
  #fetchedAtMs = Number.NEGATIVE_INFINITY
  #triedAtMs = Number.NEGATIVE_INFINITY
  #fetching: Promise<void> | undefined
  /** Error of the last fetch; undefined if it succeeded. */
  #fetchError: unknown

  /** `issuer`: the expected `iss` claim, see {@link issuerOf}. */
  constructor(jwksUrl: string, issuer: string, now: () => number = Date.now) {
    this.#url = jwksUrl
    this.#issuer = issuer
    this.#now = now
  }

  /** Rejects all tokens of this key from now on, including cached ones. */
  revokeKey(kid: string): void {
    this.#revokedKeys.add(kid)
    for (const oldest of this.#revokedKeys) {
      if (this.#revokedKeys.size <= REMEMBERED_REVOKED_KEYS) break
      this.#revokedKeys.delete(oldest)
    }
    for (const [digest, claims] of this.#verified) if (claims.kid === kid) this.#verified.delete(digest)
  }

  async verify(token: string): Promise<TokenClaims> {
    if (token.length > 8192) throw new InvalidTokenError('too long')
    const digest = hash('sha256', token, 'base64')
    const known = this.#verified.get(digest)
    if (known !== undefined && known.expiresAtMs > this.#now()) return known
    const claims = await this.#verifyUncached(token)
    if (this.#verified.size >= CACHED_TOKENS) {
      const oldest = this.#verified.keys().next()
      if (!oldest.done) this.#verified.delete(oldest.value)
    }
    this.#verified.set(digest, claims)
    return claims
  }

  async #verifyUncached(token: string): Promise<TokenClaims> {
    if (this.#keys === undefined || this.#now() - this.#fetchedAtMs > KEYS_FRESH_MS) await this.#refetch()
    try {
      return await this.#check(token)
    } catch (error) {
      if (!(error instanceof joseErrors.JWKSNoMatchingKey)) throw this.#refusal(error)
      await this.#refetch()
      if (this.#fetchError !== undefined) throw errors.unavailable('The sign-in service', this.#fetchError)
      try {
        return await this.#check(token)
      } catch (again) {
        throw this.#refusal(again)
      }
    }
  }

  async #check(token: string): Promise<TokenClaims> {
    if (this.#keys === undefined) throw errors.unavailable('The sign-in service')
    const { payload, protectedHeader } = await jwtVerify(token, this.#keys, {
      algorithms: ALGORITHMS,
      issuer: this.#issuer,
      audience: 'authenticated',
      currentDate: new Date(this.#now()),
      requiredClaims: ['sub', 'exp', 'session_id'],
    })
    const { kid } = protectedHeader
    if (kid === undefined) throw new InvalidTokenError('no key id')
    if (this.#revokedKeys.has(kid)) throw new InvalidTokenError('its key was revoked')
    return requireFactor(toClaims(payload, kid))
  }

  #refusal(error: unknown): unknown {
    return error instanceof joseErrors.JOSEError ? new InvalidTokenError(error.code) : error
  }

  async #refetch(): Promise<void> {
    if (this.#keys !== undefined && this.#now() - this.#triedAtMs < REFETCH_COOLDOWN_MS) return
    this.#fetching ??= this.#fetchKeys().finally(() => {
      this.#fetching = undefined
    })
    await this.#fetching
  }

  async #fetchKeys(): Promise<void> {
    this.#triedAtMs = this.#now()
    try {
      const response = await internalFetch(this.#url, { signal: AbortSignal.timeout(3000) })
      if (!response.ok) throw new Error(`status ${response.status}`)
      this.#keys = createLocalJWKSet((await response.json()) as JSONWebKeySet)
      this.#fetchedAtMs = this.#now()
      this.#fetchError = undefined
    } catch (error) {
      this.#fetchError = error
      if (this.#keys === undefined) throw errors.unavailable('The sign-in service', error)
    }
  }
}

/** Reads the required claims. Throws an {@link InvalidTokenError} if one is missing. */
export function toClaims(payload: JWTPayload, kid: string): TokenClaims {
  const { sub, exp, session_id: sessionId, email } = payload
  if (typeof sub !== 'string' || typeof exp !== 'number' || typeof sessionId !== 'string') {
    throw new InvalidTokenError('a claim is missing')
  }
  const scopes = typeof payload.scope === 'string' ? payload.scope.split(' ') : null
  const methods = scopes === null ? methodTimesMs(payload.amr) : []
  return {
    userId: sub,
    sessionId,
    generation: typeof payload.refresh_generation === 'number' ? payload.refresh_generation : 0,
    email: typeof email === 'string' ? email : '',
    isAnonymous: payload.is_anonymous === true,
    signedInAtMs: methods.at(-1) ?? null,
    expiresAtMs: exp * 1000,
    kid,
    aal: payload.aal === 'aal2' ? 'aal2' : 'aal1',
    factorVerifiedAtMs: payload.aal === 'aal2' ? (methods[0] ?? null) : null,
    hasFactor: payload.aal === 'aal2' || payload.second_factor !== undefined,
    needsFactor: payload.second_factor === 'pending',
    scopes,
    isDevice: scopes !== null && methodsOf(payload.amr).some(({ method }) => method === DEVICE_METHOD),
  }
}

/** The `amr` method of the sessions of paired devices. */
const DEVICE_METHOD = 'device'

const methodsOf = (amr: unknown): readonly { method?: unknown; timestamp?: unknown }[] =>
  Array.isArray(amr) ? amr : []

/** Times of the methods of the `amr` claim, in epoch ms, the latest first: with `aal2` that is the second factor. */
const methodTimesMs = (amr: unknown): number[] =>
  methodsOf(amr).flatMap(({ timestamp }) => (typeof timestamp === 'number' ? [timestamp * 1000] : []))
