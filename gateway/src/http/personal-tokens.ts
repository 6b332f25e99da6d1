import { ExchangedToken } from '@looptide/contracts/http/personal-tokens'
import { errors } from '@looptide/service-kit/http/errors'
import type { AccessList } from '@looptide/service-kit/identity/access-list'
import { callInternal } from '@looptide/service-kit/identity/internal'
import { PERSONAL_TOKEN_PREFIX, personalTokenDigest } from '@looptide/service-kit/identity/personal-token'
import type { FastifyRequest } from 'fastify'
import { Check } from 'typebox/value'
import type { LocalLimits } from './local-limits.ts'
import { Memo } from './memo.ts'

/** Time for which an exchanged token is used, in ms. Auth issues it for twice as long. */
const TTL_MS = 60_000
const MAX_ENTRIES = 10_000
const BEARER = new RegExp(`^bearer +(${PERSONAL_TOKEN_PREFIX}.*)$`, 'i')

interface PersonalTokensOptions {
  authUrl: string
  internalToken: string
  access: Pick<AccessList, 'onChange' | 'isRevoked'>
  now: () => number
}

/**
 * Exchanges personal access tokens at auth for short access tokens, which services verify like those of sessions: they
 * check the scopes, and refuse them as soon as the personal token is on the access list as revoked.
 */
export class PersonalTokens {
  readonly #options: PersonalTokensOptions
  /** By the digest of the personal access token. */
  readonly #exchanged: Memo<ExchangedToken>

  constructor(options: PersonalTokensOptions) {
    this.#options = options
    this.#exchanged = new Memo({ ttlMs: () => TTL_MS, maxEntries: MAX_ENTRIES, now: options.now })
    options.access.onChange(({ kind }) => {
      // Their access tokens may be signed with a key that was revoked.
      if (kind === 'key') this.#exchanged.clear()
    })
  }

  /**
   * Replaces a personal access token in the headers of a request. `limits` counts exchanges, not repeated requests.
   * Throws `unauthorized` for a token that is malformed, unknown, expired or revoked.
   */
  async replaceIn(request: FastifyRequest, limits: LocalLimits): Promise<void> {
    const { headers } = request.raw
    const token = BEARER.exec(headers.authorization ?? '')?.[1]
    if (token === undefined) return
    const digest = personalTokenDigest(token.trim())?.toString('base64url')
    if (digest === undefined) throw unknownToken()
    if (this.#isOutdated(digest)) this.#exchanged.delete(digest)
    if (!this.#exchanged.has(digest)) limits.count('tokenExchange', request)
    const exchanged = await this.#exchanged.get(digest, () => this.#exchange(digest))
    if (exchanged === undefined) {
      this.#exchanged.delete(digest)
      throw errors.unavailable('The sign-in service')
    }
    if (exchanged.access === null) throw unknownToken()
    headers.authorization = `Bearer ${exchanged.access.accessToken}`
  }

  /** Whether the access token was revoked meanwhile, or became outdated because its owner added a second factor. */
  #isOutdated(digest: string): boolean {
    const access = this.#exchanged.peek(digest)?.access
    if (!access) return false
    const { tokenId: sessionId, generation = 0 } = access
    return this.#options.access.isRevoked({ sessionId, generation })
  }

  /** Undefined while auth is unavailable. */
  async #exchange(digest: string): Promise<ExchangedToken | undefined> {
    const { authUrl, internalToken } = this.#options
    try {
      const answer = await callInternal(`${authUrl}/internal/tokens/exchange`, 'The sign-in service', {
        method: 'POST',
        body: { digest },
        internalToken,
      })
      return Check(ExchangedToken, answer) ? answer : undefined
    } catch {
      return undefined
    }
  }
}

const unknownToken = () => errors.unauthorized('This access token is unknown, expired or revoked.')
