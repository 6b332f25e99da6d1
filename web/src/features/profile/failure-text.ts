import { ApiError } from '../../lib/api/api-error.ts'
import { SignInError } from '../../lib/session/sign-in-error.ts'
import { waitText } from '../../lib/time/time-ago.ts'

/** The text for a failed request: the server's message if it refused or cannot check a picture, else `otherwise`. */
export function failureText(failure: unknown, otherwise: string): string {
  if (failure instanceof SignInError) return failure.message
  if (!(failure instanceof ApiError)) return otherwise
  if (failure.code === 'rate_limited' && failure.retryAfterMs !== undefined) {
    return `Too many attempts. Please try again in ${waitText(failure.retryAfterMs)}.`
  }
  if (failure.code === 'scanner_unavailable') return failure.message
  return failure.isOutage || failure.code === 'unreadable_answer' ? otherwise : failure.message
}
