import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import { sha256 } from '../../../crypto/one-time-secret.ts'
import type { Challenge } from '../../../crypto/pkce.ts'
import type { Vault } from '../../../crypto/vault.ts'
import type { Database } from '../../../db/schema.ts'
import type { FlowRow } from './flow-repository.ts'
import * as flowRepository from './flow-repository.ts'
import type { FlowSecrets, ProvedIdentity, ProviderClient } from './provider-client.ts'

/** Time within which a browser must return from the provider, in ms. */
export const FLOW_TTL_MS = 600_000

/** Prefix of the codes that a provider's sign-in yields. It distinguishes them from those of mailed links. */
export const PROVIDER_CODE_PREFIX = 'oidc_'

interface FlowDeps {
  db: Kysely<Database>
  vault: Vault
  providers: ReadonlyMap<string, ProviderClient>
  now: () => number
}

/** A sign-in or a link that an app begins. */
export interface FlowStart {
  providerId: string
  redirectTo: URL
  /** PKCE challenge of the app. Only the app that began can exchange the code at the end. */
  challenge: Challenge
  /** Session whose user links the identity, and the generation of its token; null: a sign-in. */
  session: { id: string; generation: number } | null
}

/** The target of a returning browser, and the code or error that it carries. */
export type FlowEnd = { redirectTo: string } & ({ code: string } | { error: AccountError })

/**
 * The redirects of a browser to a provider and back (docs/protocols/auth.md, "Providers"). They change no account: that
 * happens when the app that started the flow exchanges the code, which requires its PKCE verifier. A browser that opens
 * another person's callback URL therefore neither signs in nor links anything.
 */
export class ProviderFlows {
  readonly #deps: FlowDeps

  constructor(deps: FlowDeps) {
    this.#deps = deps
  }

  /** Errors: `invalid_input` for a provider that is not configured. */
  provider(id: string): ProviderClient {
    const provider = this.#deps.providers.get(id)
    if (provider !== undefined) return provider
    throw AccountError.invalidInput('Unsupported provider: provider is not enabled')
  }

  /** The authorization URL to which the browser is redirected. Errors: `invalid_input`, `provider_unavailable`. */
  async begin({ providerId, redirectTo, challenge, session }: FlowStart): Promise<URL> {
    const secrets = { state: newSecret(), nonce: newSecret(), verifier: newSecret() }
    const url = await this.provider(providerId).authorizationUrl(secrets)
    await this.#store(secrets.state, secrets, {
      step: 'callback',
      provider: providerId,
      codeChallenge: challenge.challenge,
      codeChallengeMethod: challenge.method,
      redirectTo: redirectTo.href,
      sessionId: session?.id ?? null,
      generation: session?.generation ?? null,
      beganAt: new Date(this.#deps.now()),
    })
    return url
  }

  /** Handles the browser's return. A state is accepted once. Errors: `state_not_found`. */
  async finish(callback: URLSearchParams): Promise<FlowEnd> {
    const { db, now } = this.#deps
    const state = callback.get('state') ?? ''
    const row = await flowRepository.take(db, sha256(state), 'callback')
    if (row === undefined || now() - row.createdAt.getTime() > FLOW_TTL_MS) {
      throw new AccountError('state_not_found', 'OAuth state not found or expired')
    }
    const { redirectTo } = row
    try {
      const identity = await this.provider(row.provider).identify(
        callback,
        this.#open<FlowSecrets>(row, state),
      )
      const code = PROVIDER_CODE_PREFIX + newSecret()
      await this.#store(code, identity, { ...row, step: 'exchange' })
      return { redirectTo, code }
    } catch (error) {
      if (error instanceof AccountError) return { redirectTo, error }
      throw error
    }
  }

  /** The flow that a code ends, without using the code up. */
  find(code: string): Promise<FlowRow | undefined> {
    return flowRepository.find(this.#deps.db, sha256(code), 'exchange')
  }

  /** The identity that the provider proved. */
  identityOf(row: FlowRow, code: string): ProvedIdentity {
    return this.#open<ProvedIdentity>(row, code)
  }

  async #store(secret: string, sealed: object, row: Omit<FlowRow, 'digest' | 'sealed' | 'createdAt'>) {
    const { db, vault, now } = this.#deps
    await flowRepository.insert(db, {
      ...row,
      digest: sha256(secret),
      sealed: vault.seal(JSON.stringify(sealed), contextOf(secret)),
      createdAt: new Date(now()),
    })
  }

  #open<T>({ sealed }: FlowRow, secret: string): T {
    return JSON.parse(this.#deps.vault.open(sealed, contextOf(secret))) as T
  }
}

const newSecret = (): string => randomBytes(32).toString('base64url')

/** Binds what is sealed to its row. */
const contextOf = (secret: string): string => `provider-flow:${sha256(secret).toString('hex')}`
