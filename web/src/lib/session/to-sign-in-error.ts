import { type AuthError, isAuthError } from '@supabase/auth-js'
import { waitText } from '../time/time-ago.ts'
import { SignInError } from './sign-in-error.ts'

/** Converts an error of the auth library to `SignInError`; `retryAfterMs` is from the response's headers. */
export function toSignInError(error: unknown, retryAfterMs?: number): unknown {
  if (!isAuthError(error)) return error
  const code = error.code ?? (error.name === 'AuthRetryableFetchError' ? 'service_unavailable' : 'unexpected')
  return new SignInError(code, messageOf(code, error, retryAfterMs), error, retryAfterMs)
}

/** The server's message, replaced for codes whose message is not meant for users. */
function messageOf(code: string, error: AuthError, retryAfterMs: number | undefined): string {
  const later = retryAfterMs === undefined ? 'in a few minutes' : `in ${waitText(retryAfterMs)}`
  switch (code) {
    case 'service_unavailable':
      return 'The station is not responding right now.'
    case 'over_request_rate_limit':
      return `Too many attempts. Please try again ${later}.`
    case 'over_email_send_rate_limit':
      return `An email was just sent to this address. Please try again ${later}.`
    case 'captcha_failed':
      return 'Your browser could not be verified. Please use another browser.'
    case 'mfa_verification_failed':
      return 'This code is wrong or was already used.'
    case 'mfa_recovery_codes_locked':
      return `Too many attempts. Please try again ${later}.`
    case 'user_banned':
      return 'This account has been banned.'
    case 'webauthn_verification_failed':
      return 'This passkey was not accepted. It may have been removed from its account.'
    case 'webauthn_challenge_expired':
      return 'That took too long. Please try again.'
    default:
      return error.message
  }
}
