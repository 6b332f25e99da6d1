import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Role } from '@looptide/contracts/common'
import type { ExchangedToken } from '@looptide/contracts/http/personal-tokens'
import type { AccessSnapshot } from '@looptide/contracts/http/users'
import { DEVICE_SCOPES } from '@looptide/contracts/token-scopes'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { bearerOf } from './client.ts'
import { until } from './until.ts'

/** The issuer of a service whose `SITE_URL` is the default. */
export const TEST_ISSUER = 'http://localhost:8080/auth/v1'

/** A signed-in person for a test. */
export interface TestUser {
  id: string
  sessionId: string
  email: string
  token: string
  /** `{authorization: 'Bearer …'}` */
  headers: { authorization: string }
}

interface TestUserOptions {
  id?: string
  sessionId?: string
  /** Number of the refresh token that the token was issued with. */
  generation?: number
  /** Lifetime of the token, in s. An hour by default. */
  ttlS?: number
  isAnonymous?: boolean
  /** Time since the session's second factor was verified, in s. Without it, the session has none. */
  factorAgeS?: number
  /** The session is of a paired TV. */
  isDevice?: boolean
}

/** The endpoints of auth that other services use: published keys and the access list, over HTTP. */
export interface TestIdentity {
  authUrl: string
  internalToken: string
  /** Id of the current signing key. */
  readonly kid: string
  /** Publishes a further key, which signs from now on; earlier ones stay published. Returns the new `kid`. */
  addKey(): Promise<string>
  /** Signs a token; a role other than `user` is put on the access list. */
  createUser(role?: Role, options?: TestUserOptions): Promise<TestUser>
  /** Puts a session on the access list. (Publish `auth.session.revoked.v1` to notify running services.) */
  revoke(user: TestUser): void
  exchange: TokenExchange
  /** Resolves when the service at this URL has read the keys and the access list. Until then it answers users with 503. */
  knownAt(url: string): Promise<void>
  stop(): Promise<void>
}

/** Auth's exchange of personal access tokens for access tokens. */
class TokenExchange {
  /** Access tokens by the digest (base64url) of the personal one. */
  readonly accessTokens = new Map<string, string>()
  /** The id of the personal access token that was exchanged last: the `session_id` of its access token. */
  tokenId: string = randomUUID()
  /** Number of requests so far. */
  count = 0

  async answer(request: IncomingMessage): Promise<ExchangedToken> {
    this.count += 1
    const { digest } = (await json(request)) as { digest: string }
    const accessToken = this.accessTokens.get(digest)
    if (accessToken === undefined) return { access: null }
    this.tokenId = randomUUID()
    return { access: { tokenId: this.tokenId, accessToken, expiresAtMs: Date.now() + 120_000 } }
  }
}

function signToken(
  { kid, privateKey }: { kid: string; privateKey: CryptoKey },
  issuer: string,
  { id, sessionId, email }: Pick<TestUser, 'id' | 'sessionId' | 'email'>,
  { ttlS = 3600, isAnonymous = false, isDevice = false, factorAgeS, generation }: TestUserOptions,
): Promise<string> {
  const nowS = Math.floor(Date.now() / 1000)
  const factor = factorAgeS !== undefined && {
    aal: 'aal2',
    amr: [{ method: 'totp', timestamp: nowS - factorAgeS }],
  }
  const device = isDevice && {
    scope: DEVICE_SCOPES.join(' '),
    amr: [{ method: 'device', timestamp: nowS }],
  }
  const claims = { session_id: sessionId, email, role: 'authenticated', is_anonymous: isAnonymous }
  return new SignJWT({ ...claims, ...factor, ...device, refresh_generation: generation })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(id)
    .setAudience('authenticated')
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + ttlS)
    .sign(privateKey)
}

/** Starts a server that publishes keys and an access list as auth does, and signs tokens for test users. */
export async function startIdentity(
  internalToken = 'an internal token for tests, long enough',
  issuer = TEST_ISSUER,
): Promise<TestIdentity> {
  const keys: { keys: JWK[] } = { keys: [] }
  const addKey = async (): Promise<{ kid: string; privateKey: CryptoKey }> => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const kid = randomUUID()
    keys.keys.push({ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] })
    return { kid, privateKey }
  }
  let signer = await addKey()
  const access: AccessSnapshot = { revokedSessions: [], roles: [] }
  const exchange = new TokenExchange()
  const answer = (request: IncomingMessage): unknown => {
    if (request.url === '/internal/tokens/exchange') return exchange.answer(request)
    return request.url === '/internal/access' ? access : keys
  }
  const server = createServer((request, response) => {
    void Promise.resolve(answer(request)).then((body) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    )
  })
  const sign = (user: Pick<TestUser, 'id' | 'sessionId' | 'email'>, options: TestUserOptions = {}) =>
    signToken(signer, issuer, user, options)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const authUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    authUrl,
    internalToken,
    exchange,
    get kid() {
      return signer.kid
    },
    addKey: async () => {
      signer = await addKey()
      return signer.kid
    },
    async createUser(role = 'user', options = {}) {
      const { id = randomUUID(), sessionId = randomUUID() } = options
      const session = { id, sessionId, email: `${id.slice(0, 8)}@example.test` }
      if (role !== 'user') access.roles.push({ userId: id, role })
      const token = await sign(session, options)
      return { ...session, token, headers: bearerOf(token) }
    },
    revoke: (user) => {
      access.revokedSessions.push({ id: user.sessionId, untilMs: Date.now() + 3_600_000 })
    },
    knownAt: async (url) => {
      const token = await sign({ id: randomUUID(), sessionId: randomUUID(), email: 'nobody@example.test' })
      await until(
        'users are known',
        async () => (await fetch(`${url}/livez`, { headers: bearerOf(token) })).ok,
      )
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
