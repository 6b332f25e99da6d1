import { Type } from 'typebox'
import {
  AuthorizeQuery,
  CallbackQuery,
  LogoutQuery,
  OtpBody,
  PasswordGrantBody,
  PkceGrantBody,
  RecoverBody,
  RedirectQuery,
  RefreshGrantBody,
  ResendBody,
  SignUpBody,
  TokenQuery,
  UpdateUserBody,
  VerifyBody,
  VerifyQuery,
} from '../../http/auth.ts'
import {
  AuthSession,
  AuthUser,
  EmailChangeHalfConfirmed,
  Empty,
  Metadata,
} from '../../http/auth-responses.ts'
import { DeviceGrantBody, FORM_OR_JSON } from '../../http/devices.ts'
import { operation } from '../../operation.ts'

export const authUserSignUp = operation({
  name: 'auth.user.sign_up',
  summary: 'Create an account',
  call: 'POST /auth/v1/signup',
  audience: 'anyone',
  token: 'session-only',
  input: { query: RedirectQuery, body: SignUpBody },
  output: { 200: Type.Union([AuthSession, AuthUser]) },
})

export const authUserRead = operation({
  name: 'auth.user.read',
  summary: "Get the caller's account",
  call: 'GET /auth/v1/user',
  audience: 'user',
  token: 'session-only',
  proof: 'none',
  output: { 200: AuthUser },
})

export const authUserUpdate = operation({
  name: 'auth.user.update',
  summary: "Change the email address, password or data of the caller's account",
  call: 'PUT /auth/v1/user',
  audience: 'user',
  token: 'session-only',
  // Instead of a recent sign-in, the current password or a mailed code.
  proof: { always: 'none', email: 'recent-sign-in', password: 'recent-sign-in' },
  input: { query: RedirectQuery, body: UpdateUserBody },
  output: { 200: AuthUser },
})

/** Mails a code, which is the `nonce` of a change of the password. */
export const authUserReauthenticate = operation({
  name: 'auth.user.reauthenticate',
  summary: 'Send a code that replaces the current password',
  call: 'GET /auth/v1/reauthenticate',
  audience: 'user',
  token: 'session-only',
  proof: 'none',
  // A HEAD request must not send a mail.
  head: false,
  output: { 200: Empty },
})

export const authTokenIssue = operation({
  name: 'auth.token.issue',
  summary: 'Sign in, or exchange a refresh token or code for a session',
  call: 'POST /auth/v1/token',
  audience: 'anyone',
  token: 'session-only',
  validatedBy: 'handler',
  // Forms are of stock clients of RFC 8628.
  consumes: FORM_OR_JSON,
  input: {
    query: TokenQuery,
    body: Type.Union([PasswordGrantBody, RefreshGrantBody, PkceGrantBody, DeviceGrantBody]),
  },
  output: { 200: AuthSession },
})

export const authMagicLinkSend = operation({
  name: 'auth.magic_link.send',
  summary: 'Send a sign-in link by email',
  call: 'POST /auth/v1/otp',
  audience: 'anyone',
  token: 'session-only',
  input: { query: RedirectQuery, body: OtpBody },
  output: { 200: Empty },
})

export const authCodeVerify = operation({
  name: 'auth.code.verify',
  summary: 'Confirm an emailed link or code',
  call: 'POST /auth/v1/verify',
  audience: 'anyone',
  token: 'session-only',
  input: { body: VerifyBody },
  output: { 200: Type.Union([AuthSession, EmailChangeHalfConfirmed]) },
})

export const authLinkFollow = operation({
  name: 'auth.link.follow',
  summary: 'Follow an emailed link',
  call: 'GET /auth/v1/verify',
  audience: 'anyone',
  token: 'session-only',
  // A HEAD request of a link scanner must not use up the token.
  head: false,
  input: { query: VerifyQuery },
  output: { 303: null },
})

export const authPasswordRecover = operation({
  name: 'auth.password.recover',
  summary: 'Send a password reset link',
  call: 'POST /auth/v1/recover',
  audience: 'anyone',
  token: 'session-only',
  input: { query: RedirectQuery, body: RecoverBody },
  output: { 200: Empty },
})

/** A confirmation mail, or the mails of an email change (`email` is the current email). */
export const authConfirmationResend = operation({
  name: 'auth.confirmation.resend',
  summary: 'Resend a confirmation email',
  call: 'POST /auth/v1/resend',
  audience: 'anyone',
  token: 'session-only',
  input: { query: RedirectQuery, body: ResendBody },
  output: { 200: Empty },
})

/**
 * Sends the browser to a provider, or back to the app with an error. A request that no app sends gets an error as JSON.
 */
export const authProviderAuthorize = operation({
  name: 'auth.provider.authorize',
  summary: 'Go to a provider to sign in',
  call: 'GET /auth/v1/authorize',
  audience: 'anyone',
  token: 'session-only',
  // Each request stores a row.
  head: false,
  input: { query: AuthorizeQuery },
  output: { 302: null },
})

export const authProviderReturn = operation({
  name: 'auth.provider.return',
  summary: 'Return from a provider',
  call: 'GET /auth/v1/callback',
  audience: 'anyone',
  token: 'session-only',
  // A HEAD request must not use up the state.
  head: false,
  input: { query: CallbackQuery },
  output: { 303: null },
})

export const authSettingsRead = operation({
  name: 'auth.settings.read',
  summary: 'Get the settings of the sign-in service',
  call: 'GET /auth/v1/settings',
  audience: 'anyone',
  token: 'session-only',
  output: {
    200: Type.Object({
      external: Type.Record(Type.String(), Type.Boolean()),
      disable_signup: Type.Boolean(),
      mailer_autoconfirm: Type.Boolean(),
      phone_autoconfirm: Type.Boolean(),
      sms_provider: Type.String(),
      saml_enabled: Type.Boolean(),
      passkeys_enabled: Type.Boolean(),
      /** The OpenID providers of `external` with their names. */
      oidc_providers: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    }),
  },
})

export const authHealthRead = operation({
  name: 'auth.health.read',
  summary: 'Get the version of the sign-in service',
  call: 'GET /auth/v1/health',
  audience: 'anyone',
  token: 'session-only',
  output: { 200: Type.Object({ version: Type.String(), name: Type.String(), description: Type.String() }) },
})

export const authKeyList = operation({
  name: 'auth.key.list',
  summary: 'Get the public keys that verify access tokens',
  call: 'GET /auth/v1/.well-known/jwks.json',
  audience: 'anyone',
  token: 'session-only',
  output: { 200: Type.Object({ keys: Type.Array(Metadata) }) },
})

export const authSessionLogOut = operation({
  name: 'auth.session.log_out',
  summary: 'Sign out',
  call: 'POST /auth/v1/logout',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  proof: 'none',
  input: { query: LogoutQuery },
  output: { 204: null },
})
