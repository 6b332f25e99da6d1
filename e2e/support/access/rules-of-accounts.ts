import { randomUUID } from 'node:crypto'
import { HIDDEN_FROM_OTHERS, INVALID, NOT_FOUND, NOT_WHILE_RESTRICTED, rules, UNKNOWN_ID } from './rules.ts'

const outside = (answer: string) => ({ answer, isTokenless: true })
/** The auth protocol's error codes without a token, and after the session has ended. */
const NO_SESSION = { anonymous: '401 no_authorization', banned: '403 session_not_found' }
const NO_PASSKEY = '404 webauthn_credential_not_found'
/** A well-formed credential. */
const CREDENTIAL = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
}
const NO_CODE = '400 invalid_user_code'
const NO_LINKING = '404 manual_linking_disabled'
const NO_FACTOR = '404 mfa_factor_not_found'
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

/** `/auth/v1`: the auth protocol. A bearer token is checked only where an account is required. */
export const AUTH_RULES = [
  ...rules('anyone', {
    'POST /auth/v1/signup': outside(INVALID),
    'POST /auth/v1/token': outside('400 invalid_credentials'),
    'POST /auth/v1/otp': outside(INVALID),
    'POST /auth/v1/verify': outside(INVALID),
    'GET /auth/v1/verify': outside('303'),
    'POST /auth/v1/recover': outside(INVALID),
    'POST /auth/v1/resend': outside(INVALID),
    'POST /auth/v1/device': outside('400'),
    'POST /auth/v1/passkeys/authentication/options': outside('200'),
    'POST /auth/v1/passkeys/authentication/verify': outside(INVALID),
    'GET /auth/v1/authorize': outside(INVALID),
    'GET /auth/v1/callback': outside('303'),
    'GET /auth/v1/settings': outside('200'),
    'GET /auth/v1/health': outside('200'),
    'GET /auth/v1/.well-known/jwks.json': outside('200'),
    'GET /.well-known/oauth-authorization-server/auth/v1': '200',
  }),
  ...rules('user', {
    'GET /auth/v1/user': { answer: '200', but: NO_SESSION },
    'GET /auth/v1/reauthenticate': { answer: '200', but: NO_SESSION },
    'PUT /auth/v1/user': { answer: '200', but: NO_SESSION, body: {} },
    'PUT /auth/v1/user | a forged role': {
      answer: '403 not_admin',
      but: NO_SESSION,
      body: { app_metadata: { role: 'admin' } },
    },
    'POST /auth/v1/passkeys/registration/options': { answer: '200', but: NO_SESSION },
    'POST /auth/v1/passkeys/registration/verify': {
      answer: '400 webauthn_challenge_expired',
      but: NO_SESSION,
      body: { challenge_id: UNKNOWN_ID, credential: CREDENTIAL },
    },
    'GET /auth/v1/passkeys': { answer: '200', but: NO_SESSION },
    'PATCH /auth/v1/passkeys/{passkeyId}': {
      answer: NO_PASSKEY,
      but: { ...NO_SESSION, other: NO_PASSKEY },
      body: { friendly_name: 'Phone' },
    },
    'DELETE /auth/v1/passkeys/{passkeyId}': {
      answer: NO_PASSKEY,
      but: { ...NO_SESSION, other: NO_PASSKEY },
    },
    // The station of this table has no identity provider.
    'GET /auth/v1/user/identities/authorize': { answer: NO_LINKING, but: NO_SESSION },
    'DELETE /auth/v1/user/identities/{identityId}': {
      answer: NO_LINKING,
      but: { ...NO_SESSION, other: NO_LINKING },
    },
    // Only the service key is accepted, no user's token.
    ...Object.fromEntries(
      [
        'GET /auth/v1/admin/users',
        'POST /auth/v1/admin/users',
        'GET /auth/v1/admin/users/{id}',
        'PUT /auth/v1/admin/users/{id}',
        'DELETE /auth/v1/admin/users/{id}',
        'GET /auth/v1/admin/users/{id}/factors',
        'DELETE /auth/v1/admin/users/{id}/factors/{factorId}',
        'GET /auth/v1/admin/users/{id}/passkeys',
        'DELETE /auth/v1/admin/users/{id}/passkeys/{passkeyId}',
        'POST /auth/v1/admin/generate_link',
        'POST /auth/v1/invite',
      ].map((route) => [route, { answer: '403 not_admin', but: NO_SESSION }]),
    ),
    'POST /auth/v1/factors': {
      answer: '422 mfa_phone_enroll_not_enabled',
      but: NO_SESSION,
      body: { factor_type: 'phone' },
    },
    'POST /auth/v1/factors/{factorId}/challenge': { answer: NO_FACTOR, but: NO_SESSION },
    'POST /auth/v1/factors/{factorId}/verify': {
      answer: NO_FACTOR,
      but: NO_SESSION,
      body: { challenge_id: UNKNOWN_ID, code: '000000' },
    },
    'DELETE /auth/v1/factors/{factorId}': { answer: NO_FACTOR, but: NO_SESSION },
    'GET /auth/v1/factors/recovery-codes': { answer: NO_FACTOR, but: NO_SESSION },
    'POST /auth/v1/factors/recovery-codes': { answer: '403 insufficient_aal', but: NO_SESSION, body: {} },
    'POST /auth/v1/factors/recovery-codes/regenerate': { answer: '403 insufficient_aal', but: NO_SESSION },
    'POST /auth/v1/factors/recovery-codes/verify': {
      answer: '422 mfa_verification_failed',
      but: NO_SESSION,
      body: { code: 'aaaabbbbccccdddd' },
    },
    'DELETE /auth/v1/factors/recovery-codes': { answer: '403 insufficient_aal', but: NO_SESSION },
    'GET /auth/v1/device': {
      answer: NO_CODE,
      but: { ...NO_SESSION, ...NOT_WHILE_RESTRICTED },
      query: 'user_code=BCDF-GHJK',
    },
    'POST /auth/v1/device/decision': {
      answer: NO_CODE,
      but: { ...NO_SESSION, ...NOT_WHILE_RESTRICTED },
      body: { user_code: 'BCDF-GHJK', decision: 'allow' },
    },
    'POST /auth/v1/logout': { answer: INVALID, but: NO_SESSION, query: 'scope=nobody' },
  }),
]

/** Profiles, roles and restrictions. */
export const USER_RULES = [
  ...rules('anyone', {
    'GET /api/me/is-admin': '200',
    'GET /api/profiles/{id}': { answer: '200', but: { other: '200' } },
    'GET /api/profiles/by-handle/{handle}': NOT_FOUND,
    'GET /api/profiles/{id}/avatar/{version}': NOT_FOUND,
  }),
  ...rules('user', {
    'GET /api/me': '200',
    'DELETE /api/me | with a wrong password': { answer: '403 forbidden', body: { password: 'not it' } },
    'DELETE /api/me/email-change': '204',
    'GET /api/me/sessions': '200',
    'GET /api/me/sign-ins': '200',
    'DELETE /api/me/sessions/{sessionId}': { answer: NOT_FOUND, but: HIDDEN_FROM_OTHERS },
    'GET /api/export/account': '200',
    'GET /api/me/tokens': '200',
    'POST /api/me/tokens': INVALID,
    'DELETE /api/me/tokens': '204',
    'DELETE /api/me/tokens/{tokenId}': NOT_FOUND,
    'PUT /api/me/avatar': INVALID,
    'DELETE /api/me/avatar': { answer: '200', but: NOT_WHILE_RESTRICTED },
    'GET /api/profiles': '200',
    'GET /api/profiles/lookup': { answer: '200', query: `ids=${UNKNOWN_ID}` },
    'GET /api/profiles/handles/{handle}': '200',
    'PATCH /api/profiles/{id}': {
      answer: '200',
      but: { ...NOT_WHILE_RESTRICTED, other: '403 forbidden' },
      // A different name per requester: the names of users with a role are reserved.
      body: () => ({ artistName: `Singer ${randomUUID()}` }),
    },
  }),
  ...rules('chat:moderate', {
    'DELETE /api/users/{id}/restrictions/{restrictionId}': NOT_FOUND,
    'POST /api/users/{id}/restrictions | a time-out of the chat': {
      answer: NOT_FOUND,
      body: () => ({ restrictionType: 'chat_banned', reason: 'none', expiresAt: inAnHour() }),
    },
  }),
  ...rules('users:manage', {
    'GET /api/users': '200',
    'DELETE /api/users/{id}/sessions': NOT_FOUND,
    'POST /api/users/{id}/password-reset': NOT_FOUND,
    'POST /api/users/end-sessions': INVALID,
    'PUT /api/users/{id}/role': { answer: NOT_FOUND, body: { role: 'admin' } },
    'DELETE /api/users/{id}/restrictions/{restrictionId} | set by an admin': {
      answer: '204',
      person: 'timed out by an admin',
    },
    ...Object.fromEntries(
      ['chat_banned', 'restricted', 'site_banned'].map((restrictionType) => [
        `POST /api/users/{id}/restrictions | ${restrictionType}, permanent`,
        { answer: NOT_FOUND, body: { restrictionType, reason: 'none' } },
      ]),
    ),
  }),
]
