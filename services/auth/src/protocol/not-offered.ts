import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { AuthError, type AuthErrorCode } from './auth-error.ts'

type Refusal = readonly [code: AuthErrorCode, message: string]

const NO_SAML: Refusal = ['saml_provider_disabled', 'SAML 2.0 is disabled']
const NO_OAUTH_SERVER: Refusal = ['feature_disabled', 'OAuth server is disabled']

/** The start of paths (below `/auth/v1`) of the protocol that are not offered, with GoTrue's refusals. */
const PATHS: readonly (readonly [start: string, refusal: Refusal])[] = [
  ['/sso', NO_SAML],
  ['/admin/sso', NO_SAML],
  ['/oauth/', NO_OAUTH_SERVER],
  ['/user/oauth/', NO_OAUTH_SERVER],
  ['/admin/oauth/', NO_OAUTH_SERVER],
  ['/admin/custom-providers', ['feature_disabled', 'Custom providers are set by the operator']],
]

const GRANTS: ReadonlyMap<string, Refusal> = new Map([
  ['web3', ['web3_provider_disabled', 'Web3 provider is disabled']],
])

/** The refusal of a path below `/auth/v1` that has no route. */
export function refusedPath(path: string): AuthError {
  const [, refusal] = PATHS.find(([start]) => path.startsWith(start)) ?? []
  return refusal ? new AuthError(...refusal) : new AuthError('not_found', 'There is nothing at this address')
}

/** Issuers of the providers that clients name (`signInWithIdToken`), as in GoTrue. */
const ISSUERS: ReadonlyMap<string, string> = new Map([
  ['apple', 'https://appleid.apple.com'],
  ['azure', 'https://login.microsoftonline.com/common/v2.0'],
  ['facebook', 'https://www.facebook.com'],
  ['google', 'https://accounts.google.com'],
  ['kakao', 'https://kauth.kakao.com'],
])
const IdTokenBody = Type.Object({
  provider: Type.Optional(Type.String({ maxLength: 64 })),
  issuer: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
})

/** Sign-ins with ID tokens are not offered, of any issuer. */
function refusedIdToken(body: unknown): AuthError {
  const { provider = '', issuer = ISSUERS.get(provider) ?? provider } = Check(IdTokenBody, body) ? body : {}
  return new AuthError('provider_disabled', `Provider (issuer ${JSON.stringify(issuer)}) is not enabled`)
}

/** The refusal of a `grant_type` that is not offered. */
export function refusedGrant(type: string, body: unknown): AuthError {
  if (type === 'id_token') return refusedIdToken(body)
  const refusal = GRANTS.get(type)
  return refusal ? new AuthError(...refusal) : new AuthError('invalid_credentials', 'unsupported_grant_type')
}
