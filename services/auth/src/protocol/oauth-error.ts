import { DEVICE_GRANT } from '@looptide/contracts/http/devices'
import { authDeviceStart } from '@looptide/contracts/operations/auth/devices'
import { authTokenIssue } from '@looptide/contracts/operations/auth/sign-in'
import type { FastifyRequest } from 'fastify'
import type { AuthError, AuthErrorCode } from './auth-error.ts'

/** The codes of RFC 6749 §5.2 and RFC 8628 §3.5 for errors that have another one in the rest of the protocol. */
const OAUTH_CODES: ReadonlyMap<AuthErrorCode, string> = new Map([
  ['over_request_rate_limit', 'slow_down'],
  ['user_banned', 'access_denied'],
  ['service_unavailable', 'temporarily_unavailable'],
  ['request_timeout', 'temporarily_unavailable'],
  ['unexpected_failure', 'server_error'],
])
const OWN_CODES: ReadonlySet<AuthErrorCode> = new Set([
  ...(['authorization_pending', 'slow_down', 'access_denied', 'expired_token'] as const),
  ...(['invalid_grant', 'invalid_client'] as const),
])

/** The `grant_type` of a token request: of its query or, for devices only, of its body (RFC 8628 §3.4). */
export function grantTypeOf({ query, body }: Pick<FastifyRequest, 'query' | 'body'>): string {
  const named = (query as { grant_type?: string }).grant_type
  if (named !== undefined) return named
  return isDeviceGrant(body) ? DEVICE_GRANT : ''
}

const isDeviceGrant = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'grant_type' in body && body.grant_type === DEVICE_GRANT

/** Whether a request is one of RFC 8628, whose clients expect its errors. */
export function speaksOAuth(request: FastifyRequest): boolean {
  const { definition } = request.routeOptions.config
  if (definition === authDeviceStart) return true
  return definition === authTokenIssue && grantTypeOf(request) === DEVICE_GRANT
}

/** The body of an error of RFC 6749 §5.2. */
export const oauthErrorBody = ({ code, message }: AuthError) => ({
  error: OWN_CODES.has(code) ? code : (OAUTH_CODES.get(code) ?? 'invalid_request'),
  // Quotes and backslashes are not allowed there.
  error_description: message.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'"),
})
