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
  ['id_token', ['provider_disabled', 'Sign-ins with ID tokens are disabled']],
  ['web3', ['web3_provider_disabled', 'Web3 provider is disabled']],
])

/** The refusal of a path below `/auth/v1` that has no route. */
export function refusedPath(path: string): AuthError {
  const [, refusal] = PATHS.find(([start]) => path.startsWith(start)) ?? []
  return refusal ? new AuthError(...refusal) : new AuthError('not_found', 'There is nothing at this address')
}

/** The refusal of a `grant_type` that is not offered. */
export function refusedGrant(type: string): AuthError {
  const refusal = GRANTS.get(type)
  return refusal ? new AuthError(...refusal) : new AuthError('invalid_credentials', 'unsupported_grant_type')
}
