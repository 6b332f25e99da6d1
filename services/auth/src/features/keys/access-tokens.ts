import { DEVICE_SCOPES } from '@looptide/contracts/token-scopes'
import { InvalidTokenError, type TokenClaims, toClaims } from '@looptide/service-kit/identity/tokens'
import { decodeProtectedHeader, type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import type { AuthMethod, FactorMethod } from '../../db/schema.ts'
import { isAnonymous } from '../user/require-address.ts'
import { ALGORITHM, type SigningKeys } from './signing-keys.ts'

export interface TokenSubject {
  id: string
  /** Null for an anonymous user. */
  email: string | null
  userMetadata: Record<string, unknown>
  /** See `appMetadataOf`. */
  appMetadata: Record<string, unknown>
}

/** The session data in an access token. */
interface TokenSession {
  id: string
  method: AuthMethod
  createdAt: Date
  counter: number
  factorMethod: FactorMethod | null
  factorVerifiedAt: Date | null
  /** Whether the user has a second factor that this session was not verified with. */
  needsFactor: boolean
}

/** The data of a personal access token in an access token that acts for it. */
interface ActingToken {
  /** The session id of its access tokens. */
  id: string
  generation: number
  scopes: readonly string[]
  /** Whether the session that created it was verified with a second factor. */
  hasFactor: boolean
  /** Whether its owner has a second factor. */
  ownerHasFactor: boolean
  createdAt: Date
  expiresAt: Date
}

interface TokenDeps {
  keys: SigningKeys
  issuer: string
  ttlS: number
  now: () => number
}

/** Lifetime of an access token that acts for a personal one, in seconds. */
const ACTING_TTL_S = 120

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000)

/** The `amr` claim: the methods of a session, the latest first. */
function methodsOf({ method, createdAt, factorMethod, factorVerifiedAt }: TokenSession) {
  const first = { method, timestamp: seconds(createdAt) }
  if (factorMethod === null || factorVerifiedAt === null) return [first]
  return [{ method: factorMethod, timestamp: seconds(factorVerifiedAt) }, first]
}

/** Issues and verifies access tokens (docs/protocols/auth.md, "Access tokens and keys"). */
export class AccessTokens {
  readonly #deps: TokenDeps

  constructor(deps: TokenDeps) {
    this.#deps = deps
  }

  get ttlS(): number {
    return this.#deps.ttlS
  }

  /** Issues a token. `expiresAt` is its `exp`, in seconds since the epoch. */
  async issue(subject: TokenSubject, session: TokenSession): Promise<{ token: string; expiresAt: number }> {
    const isDevice = session.method === 'device'
    return this.#sign(subject, this.#deps.ttlS, {
      aal: session.factorVerifiedAt === null ? 'aal1' : 'aal2',
      amr: methodsOf(session),
      // Our own claim. Every process except auth refuses a token whose factor is pending. A device proves none.
      ...(session.needsFactor ? { second_factor: isDevice ? 'enrolled' : 'pending' } : {}),
      ...(isDevice ? { scope: DEVICE_SCOPES.join(' ') } : {}),
      session_id: session.id,
      // Our own claim. A token presented to auth proves that the refresh token issued with it has arrived. Tokens from
      // before a change of what the session has proved are refused by it.
      refresh_generation: session.counter,
    })
  }

  /**
   * Issues a token that acts for a personal access token, for {@link ACTING_TTL_S} at most. The `scope` claim (RFC 9068)
   * limits it.
   */
  async issueFor(subject: TokenSubject, acting: ActingToken): Promise<{ token: string; expiresAt: number }> {
    const leftS = Math.floor((acting.expiresAt.getTime() - this.#deps.now()) / 1000)
    return this.#sign(subject, Math.min(ACTING_TTL_S, leftS), {
      aal: acting.hasFactor ? 'aal2' : 'aal1',
      amr: [{ method: 'personal_token', timestamp: seconds(acting.createdAt) }],
      // Our own claim, so that an action that needs a fresh second factor is refused.
      ...(acting.ownerHasFactor ? { second_factor: 'enrolled' } : {}),
      session_id: acting.id,
      refresh_generation: acting.generation,
      scope: acting.scopes.join(' '),
    })
  }

  async #sign(
    subject: TokenSubject,
    ttlS: number,
    claims: JWTPayload,
  ): Promise<{ token: string; expiresAt: number }> {
    const { keys, issuer, now } = this.#deps
    const issuedAt = Math.floor(now() / 1000)
    const expiresAt = issuedAt + ttlS
    const { kid, key } = await keys.signer()
    const token = await new SignJWT({
      email: subject.email ?? '',
      phone: '',
      role: 'authenticated',
      app_metadata: subject.appMetadata,
      user_metadata: subject.userMetadata,
      is_anonymous: isAnonymous(subject),
      ...claims,
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

  /** Throws {@link InvalidTokenError} for a token that this service did not issue, or that was altered or expired. */
  async verify(token: string): Promise<TokenClaims> {
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
      return toClaims(payload, kid)
    } catch (error) {
      if (error instanceof joseErrors.JWTExpired) throw new InvalidTokenError('token is expired')
      if (error instanceof joseErrors.JOSEError) throw new InvalidTokenError(error.message)
      if (error instanceof TypeError) throw new InvalidTokenError('token is malformed')
      throw error
    }
  }
}
