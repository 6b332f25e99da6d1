import { type Static, Type } from 'typebox'
import { Uuid } from '../common.ts'
import { Address, Code, Line, Opaque, PasswordText } from '../text-fields.ts'
import { AuthenticationCredential, RegistrationCredential } from './passkeys.ts'

/**
 * Request bodies of `/auth/v1`. Its protocol is defined by third-party clients: unlike in all other APIs, names are in
 * snake case and unknown fields are accepted.
 */

type Field = typeof Opaque
/** A string without NUL, which Postgres cannot store. */
const text = (field: Field, maxLength: number) => field({ maxLength, pattern: '^[^\\u0000]*$' })
/** A text of the auth protocol that may be absent or null. `maxLength` in characters. */
export const optional = (field: Field, maxLength: number) =>
  Type.Optional(Type.Union([text(field, maxLength), Type.Null()]))
export const userData = Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]))
const pkce = { code_challenge: optional(Opaque, 256), code_challenge_method: optional(Code, 16) }
export const Email = text(Address, 1024)
export const Password = text(PasswordText, 1024)

/** `options.captchaToken` of the stock client: the solution of a proof-of-work challenge. */
const security = {
  gotrue_meta_security: Type.Optional(
    Type.Union([Type.Object({ captcha_token: optional(Opaque, 8192) }), Type.Null()]),
  ),
}
/** Without `email` and `password`: an anonymous sign-in. */
export const SignUpBody = Type.Object({
  email: Type.Optional(Email),
  password: Type.Optional(Password),
  data: userData,
  ...security,
  ...pkce,
})
export const PasswordGrantBody = Type.Object({
  email: Email,
  password: Password,
  ...security,
})
export const RefreshGrantBody = Type.Object({ refresh_token: text(Opaque, 1024) })
export const PkceGrantBody = Type.Object({
  auth_code: text(Code, 256),
  code_verifier: text(Opaque, 256),
  ...security,
})
export const OtpBody = Type.Object({
  email: Email,
  data: userData,
  create_user: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  ...security,
  ...pkce,
})
export const VerifyBody = Type.Object({
  type: text(Code, 32),
  token_hash: optional(Code, 256),
  email: optional(Address, 1024),
  token: optional(Code, 256),
})
export const RecoverBody = Type.Object({ email: Email, ...security, ...pkce })
export const ResendBody = Type.Object({ type: text(Code, 32), email: Email, ...security, ...pkce })
export const UpdateUserBody = Type.Object({
  email: optional(Address, 1024),
  password: optional(PasswordText, 1024),
  current_password: optional(PasswordText, 1024),
  data: userData,
  nonce: optional(Code, 256),
  app_metadata: Type.Optional(Type.Unknown()),
  ...security,
  ...pkce,
})
export const FactorParams = Type.Object({ factorId: Uuid })
export const EnrollFactorBody = Type.Object({
  factor_type: text(Code, 32),
  friendly_name: optional(Line, 100),
  issuer: optional(Line, 100),
})
/** The answer to a challenge of a security key; `create` finishes its enrolment. */
const WebauthnAnswer = Type.Union([
  Type.Object({ type: Type.Literal('create'), credential_response: RegistrationCredential }),
  Type.Object({ type: Type.Literal('request'), credential_response: AuthenticationCredential }),
])
export type WebauthnAnswer = Static<typeof WebauthnAnswer>
/** `code` of an authenticator app, or `webauthn` of a security key. */
export const VerifyFactorBody = Type.Object({
  challenge_id: Uuid,
  code: optional(Code, 64),
  webauthn: Type.Optional(WebauthnAnswer),
})
export const RecoveryCodesBody = Type.Object({ friendly_name: optional(Line, 100) })
export const VerifyRecoveryCodeBody = Type.Object({ code: text(Code, 64) })
/** The start of a sign-in at a provider. Other parameters of stock clients, such as `scopes`, are ignored. */
export const AuthorizeQuery = Type.Object({
  provider: Type.Optional(text(Code, 64)),
  redirect_to: Type.Optional(Address()),
  code_challenge: Type.Optional(text(Opaque, 256)),
  code_challenge_method: Type.Optional(text(Code, 16)),
})
/** The answer of a provider (OpenID Connect Core 1.0 §3.1.2.5, RFC 9207). Its other parameters are ignored. */
export const CallbackQuery = Type.Object({
  code: Type.Optional(text(Opaque, 8192)),
  state: Type.Optional(text(Opaque, 256)),
  iss: Type.Optional(text(Opaque, 512)),
  error: Type.Optional(text(Opaque, 256)),
})
export const IdentityParams = Type.Object({ identityId: Uuid })
/** `?redirect_to=`: final target of an emailed link. A target that is not allowed is ignored. */
export const RedirectQuery = Type.Object({ redirect_to: Type.Optional(Address()) })
export const TokenQuery = Type.Object({ grant_type: Type.Optional(Code()) })
export const LogoutQuery = Type.Object({ scope: Type.Optional(Code()) })
export const VerifyQuery = Type.Object({
  token: Type.Optional(Code()),
  type: Type.Optional(Code()),
  redirect_to: Type.Optional(Address()),
})

export type AuthorizeQuery = Static<typeof AuthorizeQuery>
export type CallbackQuery = Static<typeof CallbackQuery>
export type SignUpBody = Static<typeof SignUpBody>
export type OtpBody = Static<typeof OtpBody>
export type VerifyBody = Static<typeof VerifyBody>
export type UpdateUserBody = Static<typeof UpdateUserBody>
