import type { AccountError, AccountErrorReason, Weakness } from '../account-error.ts'

/** Error codes of the auth protocol with their HTTP statuses (docs/protocols/auth.md, "Errors"). */
const STATUS = {
  bad_json: 400,
  validation_failed: 400,
  invalid_credentials: 400,
  email_not_confirmed: 400,
  refresh_token_not_found: 400,
  refresh_token_already_used: 400,
  session_expired: 400,
  user_banned: 400,
  bad_code_verifier: 400,
  captcha_failed: 400,
  provider_disabled: 400,
  webauthn_challenge_not_found: 400,
  webauthn_challenge_expired: 400,
  webauthn_verification_failed: 400,
  bad_oauth_state: 400,
  bad_oauth_callback: 400,
  no_authorization: 401,
  bad_jwt: 403,
  session_not_found: 403,
  user_not_found: 403,
  not_admin: 403,
  otp_expired: 403,
  not_found: 404,
  conflict: 409,
  flow_state_not_found: 404,
  passkey_disabled: 404,
  saml_provider_disabled: 404,
  feature_disabled: 404,
  manual_linking_disabled: 404,
  webauthn_credential_not_found: 404,
  flow_state_expired: 422,
  user_already_exists: 422,
  weak_password: 422,
  reauthentication_needed: 400,
  reauthentication_not_valid: 422,
  same_password: 422,
  email_exists: 422,
  webauthn_credential_exists: 422,
  too_many_passkeys: 422,
  provider_email_needs_verification: 422,
  identity_already_exists: 422,
  identity_not_found: 422,
  single_identity_not_deletable: 422,
  otp_disabled: 422,
  signup_disabled: 422,
  phone_provider_disabled: 422,
  anonymous_provider_disabled: 422,
  web3_provider_disabled: 422,
  request_too_large: 413,
  mfa_factor_not_found: 404,
  mfa_factor_name_conflict: 422,
  too_many_enrolled_mfa_factors: 422,
  mfa_challenge_expired: 422,
  mfa_ip_address_mismatch: 422,
  mfa_verification_failed: 422,
  mfa_verified_factor_exists: 422,
  mfa_phone_enroll_not_enabled: 422,
  mfa_webauthn_enroll_not_enabled: 422,
  mfa_recovery_codes_sole_factor: 422,
  mfa_recovery_codes_locked: 429,
  invalid_user_code: 400,
  user_code_expired: 400,
  user_code_used: 400,
  user_restricted: 403,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
  invalid_grant: 400,
  invalid_client: 400,
  insufficient_aal: 403,
  insufficient_scope: 403,
  over_request_rate_limit: 429,
  over_email_send_rate_limit: 429,
  unexpected_failure: 500,
  service_unavailable: 503,
  request_timeout: 504,
} as const

export type AuthErrorCode = keyof typeof STATUS

/** An error answer of the auth protocol. */
export class AuthError extends Error {
  readonly code: AuthErrorCode
  readonly status: number
  readonly reasons: readonly Weakness[] | undefined
  /** Time after which a retry may succeed, in ms. */
  readonly retryAfterMs: number | undefined
  /** ALTCHA challenge. A client that solves it may retry at once. */
  readonly challenge: object | undefined

  constructor(
    code: AuthErrorCode,
    message: string,
    more: {
      reasons?: readonly Weakness[] | undefined
      retryAfterMs?: number | undefined
      challenge?: object | undefined
      /** Instead of the code's status. */
      status?: number
    } = {},
  ) {
    super(message)
    this.name = 'AuthError'
    this.code = code
    this.status = more.status ?? STATUS[code]
    this.reasons = more.reasons
    this.retryAfterMs = more.retryAfterMs
    this.challenge = more.challenge
  }

  static validation(message: string): AuthError {
    return new AuthError('validation_failed', message)
  }
}

/** The protocol's error code for each refusal of the domain. */
const CODE_OF_REASON: Readonly<Record<AccountErrorReason, AuthErrorCode>> = {
  invalid_input: 'validation_failed',
  weak_password: 'weak_password',
  same_password: 'same_password',
  invalid_credentials: 'invalid_credentials',
  reauthentication_needed: 'reauthentication_needed',
  nonce_invalid: 'reauthentication_not_valid',
  email_not_confirmed: 'email_not_confirmed',
  banned: 'user_banned',
  token_expired: 'otp_expired',
  refresh_token_not_found: 'refresh_token_not_found',
  refresh_token_reused: 'refresh_token_already_used',
  session_expired: 'session_expired',
  session_ended: 'session_not_found',
  token_outdated: 'bad_jwt',
  pkce_code_not_found: 'flow_state_not_found',
  pkce_code_expired: 'flow_state_expired',
  pkce_verifier_wrong: 'bad_code_verifier',
  user_not_found: 'user_not_found',
  user_exists: 'user_already_exists',
  email_taken: 'email_exists',
  passkey_disabled: 'passkey_disabled',
  passkey_challenge_not_found: 'webauthn_challenge_not_found',
  passkey_challenge_expired: 'webauthn_challenge_expired',
  passkey_refused: 'webauthn_verification_failed',
  passkey_exists: 'webauthn_credential_exists',
  passkey_not_found: 'webauthn_credential_not_found',
  too_many_passkeys: 'too_many_passkeys',
  state_not_found: 'bad_oauth_state',
  provider_refused: 'bad_oauth_callback',
  provider_answer_invalid: 'bad_oauth_callback',
  provider_unavailable: 'request_timeout',
  provider_email_unverified: 'provider_email_needs_verification',
  identity_taken: 'identity_already_exists',
  identity_not_found: 'identity_not_found',
  last_identity: 'single_identity_not_deletable',
  linking_disabled: 'manual_linking_disabled',
  sign_up_not_allowed: 'otp_disabled',
  proof_required: 'captcha_failed',
  sign_up_disabled: 'signup_disabled',
  anonymous_disabled: 'anonymous_provider_disabled',
  too_many_requests: 'over_request_rate_limit',
  too_many_mails: 'over_email_send_rate_limit',
  mail_queue_full: 'service_unavailable',
  factor_not_found: 'mfa_factor_not_found',
  factor_name_taken: 'mfa_factor_name_conflict',
  too_many_factors: 'too_many_enrolled_mfa_factors',
  challenge_expired: 'mfa_challenge_expired',
  challenge_of_other_network: 'mfa_ip_address_mismatch',
  factor_code_wrong: 'mfa_verification_failed',
  insufficient_aal: 'insufficient_aal',
  recovery_codes_exist: 'mfa_verified_factor_exists',
  recovery_codes_sole_factor: 'mfa_recovery_codes_sole_factor',
  recovery_codes_locked: 'mfa_recovery_codes_locked',
  user_code_invalid: 'invalid_user_code',
  user_code_expired: 'user_code_expired',
  user_code_used: 'user_code_used',
  user_restricted: 'user_restricted',
  authorization_pending: 'authorization_pending',
  slow_down: 'slow_down',
  device_denied: 'access_denied',
  device_code_expired: 'expired_token',
  device_code_unknown: 'invalid_grant',
}

/** The protocol's answer to a refusal of the domain. */
export function fromAccountError(error: AccountError): AuthError {
  const { reason, retryAfterMs, weaknesses, challenge } = error
  const message = reason === 'too_many_requests' ? 'Request rate limit reached' : error.message
  return new AuthError(CODE_OF_REASON[reason], message, { reasons: weaknesses, retryAfterMs, challenge })
}

/** First API version whose error bodies have the current format. */
export const ERROR_FORMAT_VERSION = '2024-01-01'
export const VERSION_HEADER = 'x-supabase-api-version'

/** Whether the request asks for the error format of {@link ERROR_FORMAT_VERSION} or later. */
export function wantsCurrentErrorFormat(header: string | string[] | undefined): boolean {
  return typeof header === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(header) && header >= ERROR_FORMAT_VERSION
}
/** The body of an error answer, in the current or in the former format. */
export function errorBody(error: AuthError, currentFormat: boolean): Record<string, unknown> {
  const weak = error.reasons === undefined ? {} : { weak_password: { reasons: error.reasons } }
  const challenge = error.challenge === undefined ? {} : { challenge: error.challenge }
  return currentFormat
    ? { code: error.code, message: error.message, ...weak, ...challenge }
    : { code: error.status, error_code: error.code, msg: error.message, ...weak, ...challenge }
}
