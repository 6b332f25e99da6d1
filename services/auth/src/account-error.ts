import type { ErrorCode } from '@looptide/contracts/errors'
import { AppError } from '@looptide/service-kit/http/errors'

/** Reasons for which requests about accounts are refused, with the error code of endpoints outside `/auth/v1`. */
const CODES = {
  invalid_input: 'validation_failed',
  weak_password: 'validation_failed',
  same_password: 'validation_failed',
  invalid_credentials: 'unauthorized',
  reauthentication_needed: 'unauthorized',
  nonce_invalid: 'unauthorized',
  email_not_confirmed: 'unauthorized',
  banned: 'unauthorized',
  token_expired: 'unauthorized',
  refresh_token_not_found: 'session_not_found',
  refresh_token_reused: 'session_not_found',
  session_expired: 'session_not_found',
  session_ended: 'session_not_found',
  token_outdated: 'unauthorized',
  pkce_code_not_found: 'not_found',
  pkce_code_expired: 'not_found',
  pkce_verifier_wrong: 'validation_failed',
  user_not_found: 'not_found',
  user_exists: 'already_exists',
  email_taken: 'already_exists',
  passkey_disabled: 'not_found',
  passkey_challenge_not_found: 'validation_failed',
  passkey_challenge_expired: 'validation_failed',
  passkey_refused: 'unauthorized',
  passkey_exists: 'already_exists',
  passkey_not_found: 'not_found',
  too_many_passkeys: 'unprocessable',
  state_not_found: 'validation_failed',
  provider_refused: 'validation_failed',
  provider_answer_invalid: 'validation_failed',
  provider_unavailable: 'service_unavailable',
  provider_email_unverified: 'unprocessable',
  identity_taken: 'already_exists',
  identity_not_found: 'not_found',
  last_identity: 'unprocessable',
  linking_disabled: 'not_found',
  sign_up_not_allowed: 'unprocessable',
  proof_required: 'unprocessable',
  sign_up_disabled: 'unprocessable',
  anonymous_disabled: 'unprocessable',
  too_many_requests: 'rate_limited',
  too_many_mails: 'rate_limited',
  mail_queue_full: 'service_unavailable',
  factor_not_found: 'not_found',
  factor_name_taken: 'already_exists',
  too_many_factors: 'unprocessable',
  challenge_expired: 'unprocessable',
  challenge_of_other_network: 'unprocessable',
  factor_code_wrong: 'unprocessable',
  insufficient_aal: 'second_factor_required',
  recovery_codes_exist: 'already_exists',
  recovery_codes_sole_factor: 'unprocessable',
  recovery_codes_locked: 'rate_limited',
  user_code_invalid: 'validation_failed',
  user_code_expired: 'validation_failed',
  user_code_used: 'validation_failed',
  user_restricted: 'user_restricted',
  authorization_pending: 'unprocessable',
  slow_down: 'rate_limited',
  device_denied: 'unauthorized',
  device_code_expired: 'validation_failed',
  device_code_unknown: 'validation_failed',
} as const satisfies Record<string, ErrorCode>

export type AccountErrorReason = keyof typeof CODES
export type Weakness = 'length' | 'characters' | 'pwned'

/** Time after which a request is worth repeating that a concurrent one disturbed, in ms. */
export const RACE_RETRY_MS = 1000

interface AccountErrorOptions {
  /** Time after which a retry may succeed, in ms. */
  retryAfterMs?: number | undefined
  /** The weaknesses of a password. */
  weaknesses?: readonly Weakness[]
  /** ALTCHA challenge. A client that solves it may retry at once. */
  challenge?: object | undefined
}

/** A refusal of the auth domain. `protocol/auth-error.ts` turns it into an error of the auth protocol. */
export class AccountError extends AppError {
  readonly reason: AccountErrorReason
  readonly weaknesses: readonly Weakness[] | undefined
  readonly challenge: object | undefined

  constructor(reason: AccountErrorReason, message: string, options: AccountErrorOptions = {}) {
    const { retryAfterMs, weaknesses, challenge } = options
    super(CODES[reason], message, retryAfterMs === undefined ? {} : { retryAfterMs })
    this.name = 'AccountError'
    this.reason = reason
    this.weaknesses = weaknesses
    this.challenge = challenge
  }

  static invalidInput(message: string): AccountError {
    return new AccountError('invalid_input', message)
  }

  static tooManyRequests(retryAfterMs: number, challenge?: object): AccountError {
    const message = 'Too many requests. Please wait a moment.'
    return new AccountError('too_many_requests', message, { retryAfterMs, challenge })
  }

  static proofRequired(challenge: object | undefined): AccountError {
    return new AccountError('proof_required', 'A proof of work is required.', { challenge })
  }

  static signUpDisabled(): AccountError {
    return new AccountError('sign_up_disabled', 'Signups not allowed for this instance')
  }

  static refreshTokenNotFound(): AccountError {
    return new AccountError('refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')
  }

  static banned(): AccountError {
    return new AccountError('banned', 'User is banned')
  }
}
