import type { FastifyRequest } from 'fastify'
import type { AuthError } from '../auth-error.ts'
import { toAuthError } from '../auth-protocol.ts'

/** The OAuth `error` parameter by HTTP status (docs/protocols/auth.md, "GET /verify"). */
const OAUTH_ERRORS: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request'],
  [401, 'unauthorized_client'],
  [403, 'access_denied'],
])

/** The protocol's answer to an error of a request that ends with a redirection. Logs those of the station. */
export function toRedirectError(error: unknown, request: FastifyRequest): AuthError {
  const authError = toAuthError(error instanceof Error ? error : new Error(String(error)))
  if (authError.status >= 500) request.log.error({ err: error, code: authError.code }, 'auth request failed')
  return authError
}

/** Writes an error into the URL that the browser is redirected to; for PKCE into the query as well. */
export function writeError(target: URL, error: AuthError, pkce: boolean): void {
  const fields = {
    error: OAUTH_ERRORS.get(error.status) ?? (error.status >= 500 ? 'server_error' : 'invalid_request'),
    error_code: error.code,
    error_description: error.message,
  }
  target.hash = new URLSearchParams(fields).toString()
  if (pkce) for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value)
}
