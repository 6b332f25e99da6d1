import { type AuthError, isAuthError } from '@supabase/auth-js'
import { SignInError } from './sign-in-error.ts'
import { waitText } from './wait-text.ts'

/** What the auth client threw or answered, in our terms; `retryAfterMs` as its answer said. */
export function toSignInError(error: unknown, retryAfterMs?: number): unknown {
  if (!isAuthError(error)) return error
  const code = error.code ?? (error.name === 'AuthRetryableFetchError' ? 'service_unavailable' : 'unexpected')
  return new SignInError(code, messageOf(code, error, retryAfterMs), error, retryAfterMs)
}

/** The server's own words, but for those that are not meant for people. */
function messageOf(code: string, error: AuthError, retryAfterMs: number | undefined): string {
  const later = retryAfterMs === undefined ? 'in a few minutes' : `in ${waitText(retryAfterMs)}`
  switch (code) {
    case 'service_unavailable':
      return 'The station is not answering right now.'
    case 'over_request_rate_limit':
      return `Too many attempts. Please try again ${later}.`
    case 'over_email_send_rate_limit':
      return `A mail was sent to this address a moment ago. Please try again ${later}.`
    case 'user_banned':
      return 'This account has been banned.'
    default:
      return error.message
  }
}
