import { type TSchema, Type } from 'typebox'
import { Instant, Uuid } from '../common.ts'
import { PasswordGrantBody, PkceGrantBody, RefreshGrantBody } from './auth.ts'

/**
 * Response bodies of `/auth/v1`, for the OpenAPI description only. They neither validate nor filter responses, because
 * stock clients expect the protocol's exact format.
 */
const Metadata = Type.Record(Type.String(), Type.Unknown())

const Factor = Type.Object({
  id: Uuid,
  friendly_name: Type.String(),
  factor_type: Type.Union([Type.Literal('totp'), Type.Literal('webauthn'), Type.Literal('recovery_code')]),
  status: Type.Union([Type.Literal('verified'), Type.Literal('unverified')]),
  created_at: Instant,
  updated_at: Instant,
  last_challenged_at: Type.Optional(Instant),
})

const EnrolledKey = Type.Object({ id: Uuid, type: Type.Literal('webauthn'), friendly_name: Type.String() })

const EnrolledApp = Type.Object({
  id: Uuid,
  type: Type.Literal('totp'),
  friendly_name: Type.String(),
  /** `qr_code`: SVG of `uri`. */
  totp: Type.Object({ qr_code: Type.String(), secret: Type.String(), uri: Type.String() }),
})

/** `expires_at` in seconds since the Unix epoch. */
const FactorChallenge = Type.Object({
  id: Uuid,
  type: Type.Union([Type.Literal('totp'), Type.Literal('webauthn')]),
  expires_at: Type.Integer(),
  /** Only for a security key. `publicKey`: the JSON form of `PublicKeyCredentialCreationOptions` or `…RequestOptions`. */
  webauthn: Type.Optional(
    Type.Object({
      type: Type.Union([Type.Literal('create'), Type.Literal('request')]),
      credential_options: Type.Object({ publicKey: Metadata }),
    }),
  ),
})
const FactorId = Type.Object({ id: Uuid })
const recoveryCodes = { id: Uuid, type: Type.Literal('recovery_code'), total: Type.Integer() }
const RecoveryCodesStatus = Type.Object({ ...recoveryCodes, remaining: Type.Integer() })
const NewRecoveryCodes = Type.Object({
  ...recoveryCodes,
  friendly_name: Type.String(),
  codes: Type.Array(Type.String()),
})

const AuthUser = Type.Object({
  id: Uuid,
  aud: Type.String(),
  role: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  email_confirmed_at: Type.Optional(Instant),
  confirmed_at: Type.Optional(Instant),
  confirmation_sent_at: Type.Optional(Instant),
  recovery_sent_at: Type.Optional(Instant),
  email_change_sent_at: Type.Optional(Instant),
  last_sign_in_at: Type.Optional(Instant),
  new_email: Type.Optional(Type.String()),
  app_metadata: Metadata,
  user_metadata: Metadata,
  identities: Type.Array(Metadata),
  factors: Type.Optional(Type.Array(Factor)),
  created_at: Instant,
  updated_at: Instant,
  is_anonymous: Type.Boolean(),
})

const AuthSession = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
  /** Seconds. */
  expires_in: Type.Integer(),
  /** Seconds since the Unix epoch. */
  expires_at: Type.Integer(),
  refresh_token: Type.String(),
  user: AuthUser,
})

/** Error of the protocol. From API version 2024-01-01 on, `code` is the error code; before, it is the status and `error_code` is the code. */
export const AuthErrorBody = Type.Object({
  code: Type.Union([Type.String(), Type.Integer()]),
  message: Type.Optional(Type.String()),
  error_code: Type.Optional(Type.String()),
  msg: Type.Optional(Type.String()),
  /** Proof-of-work challenge in the ALTCHA format; its solution allows another try at once. */
  challenge: Type.Optional(Type.Unknown()),
  weak_password: Type.Optional(Type.Object({ reasons: Type.Array(Type.String()) })),
})

const Empty = Type.Object({})
const EmailChangeHalfConfirmed = Type.Object({ msg: Type.String(), code: Type.String() })

const Passkey = Type.Object({
  id: Uuid,
  friendly_name: Type.String(),
  created_at: Instant,
  last_used_at: Type.Optional(Instant),
})

/** The start of a WebAuthn ceremony. `options`: the JSON form of `PublicKeyCredentialCreationOptions` or `…RequestOptions`. */
const PasskeyCeremony = Type.Object({
  challenge_id: Uuid,
  options: Metadata,
  /** Seconds since the Unix epoch. */
  expires_at: Type.Integer(),
})

/** Described bodies of an operation whose route has no schemas for them. */
export interface OperationBodies {
  body?: TSchema
  /** By status; null means no body. */
  answers: Readonly<Record<number, TSchema | null>>
}

/** Bodies of the operations of `/auth/v1`, by operation name. */
export const AUTH_BODIES: ReadonlyMap<string, OperationBodies> = new Map<string, OperationBodies>([
  ['auth.user.sign_up', { answers: { 200: Type.Union([AuthSession, AuthUser]) } }],
  [
    'auth.token.issue',
    {
      body: Type.Union([PasswordGrantBody, RefreshGrantBody, PkceGrantBody]),
      answers: { 200: AuthSession },
    },
  ],
  ['auth.magic_link.send', { answers: { 200: Empty } }],
  ['auth.password.recover', { answers: { 200: Empty } }],
  ['auth.confirmation.resend', { answers: { 200: Empty } }],
  ['auth.code.verify', { answers: { 200: Type.Union([AuthSession, EmailChangeHalfConfirmed]) } }],
  ['auth.link.follow', { answers: { 303: null } }],
  ['auth.user.read', { answers: { 200: AuthUser } }],
  ['auth.user.update', { answers: { 200: AuthUser } }],
  ['auth.factor.enroll', { answers: { 200: Type.Union([EnrolledApp, EnrolledKey]) } }],
  ['auth.factor.challenge', { answers: { 200: FactorChallenge } }],
  ['auth.factor.verify', { answers: { 200: AuthSession } }],
  ['auth.factor.unenroll', { answers: { 200: FactorId } }],
  ['auth.recovery_code.read', { answers: { 200: RecoveryCodesStatus } }],
  ['auth.recovery_code.create', { answers: { 200: NewRecoveryCodes } }],
  ['auth.recovery_code.replace', { answers: { 200: NewRecoveryCodes } }],
  ['auth.recovery_code.verify', { answers: { 200: AuthSession } }],
  ['auth.recovery_code.delete', { answers: { 200: FactorId } }],
  ['auth.session.log_out', { answers: { 204: null } }],
  ['auth.passkey.authentication_options', { answers: { 200: PasskeyCeremony } }],
  ['auth.passkey.authenticate', { answers: { 200: AuthSession } }],
  ['auth.passkey.registration_options', { answers: { 200: PasskeyCeremony } }],
  ['auth.passkey.register', { answers: { 200: Passkey } }],
  ['auth.passkey.list', { answers: { 200: Type.Array(Passkey) } }],
  ['auth.passkey.rename', { answers: { 200: Passkey } }],
  ['auth.passkey.delete', { answers: { 204: null } }],
  ['auth.provider.authorize', { answers: { 302: null } }],
  ['auth.provider.return', { answers: { 303: null } }],
  ['auth.identity.link', { answers: { 200: Type.Object({ url: Type.String() }) } }],
  ['auth.identity.unlink', { answers: { 200: Empty } }],
  ['auth.key.list', { answers: { 200: Type.Object({ keys: Type.Array(Metadata) }) } }],
  [
    'auth.settings.read',
    {
      answers: {
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
    },
  ],
  [
    'auth.health.read',
    {
      answers: {
        200: Type.Object({ version: Type.String(), name: Type.String(), description: Type.String() }),
      },
    },
  ],
])
