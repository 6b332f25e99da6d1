import type { Role } from '@looptide/contracts/common'
import { isStorableInPostgres } from '@looptide/service-kit/db/postgres-json'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import * as openid from 'openid-client'
import { AccountError } from '../../../account-error.ts'
import { fetchBounded } from '../../../fetch-bounded.ts'
import { isLoopback, type ProviderSettings } from './provider-settings.ts'

/** Time after which a request to a provider is given up, in seconds. */
const TIMEOUT_S = 5
/** Time for which the endpoints that a provider publishes are cached, in ms. */
const DISCOVERY_TTL_MS = 3_600_000
const MAX_NAME_LENGTH = 100

/** The secrets of one sign-in at a provider. */
export interface FlowSecrets {
  state: string
  nonce: string
  /** PKCE verifier of the station towards the provider. */
  verifier: string
}

/** The identity that a provider has verified. */
export interface ProvedIdentity {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
  /** The role that the provider decides; null when its settings map none. */
  role: Role | null
}

interface ProviderClientDeps {
  settings: ProviderSettings
  /** The URL of the station to which the provider redirects browsers. */
  redirectUri: string
  logger: Logger
  now: () => number
}

/**
 * One OpenID provider. Requests go only to its issuer and to the endpoints that the issuer publishes; they follow no
 * redirects. An unreachable provider delays only its own sign-ins, by at most {@link TIMEOUT_S} for each request.
 */
export class ProviderClient {
  readonly settings: ProviderSettings
  readonly #deps: ProviderClientDeps
  #discovered: { configuration: Promise<openid.Configuration>; untilMs: number } | undefined

  constructor(deps: ProviderClientDeps) {
    this.settings = deps.settings
    this.#deps = deps
  }

  /** The authorization URL to which a browser is redirected. Errors: `provider_unavailable`. */
  async authorizationUrl({ state, nonce, verifier }: FlowSecrets): Promise<URL> {
    const configuration = await this.#discover()
    return openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#deps.redirectUri,
      scope: this.settings.scopes,
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
  }

  /**
   * Exchanges the code of a callback and verifies the ID token: signature, issuer, audience, nonce. Errors:
   * `provider_refused`, `provider_answer_invalid`, `provider_unavailable`.
   */
  async identify(callback: URLSearchParams, secrets: FlowSecrets): Promise<ProvedIdentity> {
    const configuration = await this.#discover()
    try {
      const url = new URL(this.#deps.redirectUri)
      url.search = callback.toString()
      const tokens = await openid.authorizationCodeGrant(configuration, url, {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new TypeError('the ID token is missing')
      const isMoreKnown = configuration.serverMetadata().userinfo_endpoint !== undefined
      const more =
        this.#isComplete(claims) || !isMoreKnown
          ? {}
          : await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return this.#identityOf(mergeClaims(claims, more))
    } catch (error) {
      throw this.#refusalOf(error)
    }
  }

  /** The endpoints and keys of the provider. A failure is not cached, so that the next sign-in tries again. */
  #discover(): Promise<openid.Configuration> {
    const { now } = this.#deps
    if (this.#discovered !== undefined && now() < this.#discovered.untilMs) {
      return this.#discovered.configuration
    }
    const configuration = this.#requestConfiguration().catch((error: unknown) => {
      this.#discovered = undefined
      throw this.#unavailable(error)
    })
    this.#discovered = { configuration, untilMs: now() + DISCOVERY_TTL_MS }
    return configuration
  }

  #requestConfiguration(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings
    const server = new URL(issuer)
    // The ID token's signature is verified although it arrives over TLS.
    const execute = [openid.enableNonRepudiationChecks]
    if (isLoopback(server)) execute.push(openid.allowInsecureRequests)
    return openid.discovery(server, clientId, clientSecret, undefined, {
      execute,
      timeout: TIMEOUT_S,
      [openid.customFetch]: fetchBounded,
    })
  }

  /** Whether the ID token has all claims that the station needs; otherwise the user info endpoint is requested. */
  #isComplete(claims: Record<string, unknown>): boolean {
    const { roles, trustEmail } = this.settings
    const isEmailKnown = claims.email !== undefined && (claims.email_verified !== undefined || trustEmail)
    return isEmailKnown && (roles === undefined || claims[roles.claim] !== undefined)
  }

  #identityOf(claims: Record<string, unknown>): ProvedIdentity {
    const { issuer, trustEmail, roles } = this.settings
    const { sub, email, name } = claims
    if (!isText(sub, 255)) throw new TypeError('the subject cannot be stored')
    const values = roles === undefined ? [] : [claims[roles.claim]].flat()
    const mapped = roles?.byValue.find(([value]) => values.some((one) => String(one) === value))
    return {
      issuer,
      subject: sub,
      email: isText(email, 255) ? email : null,
      isEmailVerified: isTrue(claims.email_verified) || trustEmail,
      name: isText(name, MAX_NAME_LENGTH) ? name : null,
      role: roles === undefined ? null : (mapped?.[1] ?? 'user'),
    }
  }

  #refusalOf(error: unknown): AccountError {
    if (error instanceof AccountError) return error
    const { id, name } = this.settings
    if (error instanceof openid.AuthorizationResponseError) {
      return new AccountError('provider_refused', `${name} refused the sign-in, or it was cancelled.`)
    }
    if (isOutage(error)) return this.#unavailable(error)
    this.#deps.logger.warn({ err: error, provider: id }, 'openid provider answer invalid')
    return new AccountError(
      'provider_answer_invalid',
      `The response from ${name} was invalid. Please try again.`,
    )
  }

  #unavailable(error: unknown): AccountError {
    const { id, name } = this.settings
    this.#deps.logger.warn({ err: error, provider: id }, 'openid provider unavailable')
    return new AccountError(
      'provider_unavailable',
      `${name} is not responding. Try again later, or sign in another way.`,
    )
  }
}

/** Whether a claim is true. Some providers send it as text (Amazon Cognito, Apple). */
const isTrue = (claim: unknown): boolean => claim === true || claim === 'true'

/**
 * Adds the claims of the user info to those of the ID token, which take precedence. The user info's `email_verified` is
 * about its own email, and does not count for another one in the ID token.
 */
function mergeClaims(idToken: Record<string, unknown>, userInfo: Record<string, unknown>) {
  const { email_verified: isVerified, ...others } = userInfo
  const isSameEmail = idToken.email === undefined || sameEmail(idToken.email, userInfo.email ?? idToken.email)
  return { ...others, ...(isSameEmail ? { email_verified: isVerified } : {}), ...idToken }
}

const sameEmail = (a: unknown, b: unknown): boolean => String(a).toLowerCase() === String(b).toLowerCase()

const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxLength && isStorableInPostgres(value)

/** Whether a provider could not be reached, was too slow, or failed itself. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // What `fetch` throws for connections that fail.
  if (error instanceof TypeError && error.message === 'fetch failed') return true
  const { cause } = error
  if (cause instanceof Response) return cause.status >= 500
  return 'code' in error && (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT')
}
