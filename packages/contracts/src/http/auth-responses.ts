import { Type } from 'typebox'
import { Instant, Uuid } from '../common.ts'

/**
 * Response bodies of `/auth/v1`, for the OpenAPI description only. They neither validate nor filter responses, because
 * stock clients expect the protocol's exact format.
 */
export const Metadata = Type.Record(Type.String(), Type.Unknown())

const Factor = Type.Object({
  id: Uuid,
  friendly_name: Type.String(),
  factor_type: Type.Union([Type.Literal('totp'), Type.Literal('webauthn'), Type.Literal('recovery_code')]),
  status: Type.Union([Type.Literal('verified'), Type.Literal('unverified')]),
  created_at: Instant,
  updated_at: Instant,
  last_challenged_at: Type.Optional(Instant),
})

export const EnrolledKey = Type.Object({
  id: Uuid,
  type: Type.Literal('webauthn'),
  friendly_name: Type.String(),
})

export const EnrolledApp = Type.Object({
  id: Uuid,
  type: Type.Literal('totp'),
  friendly_name: Type.String(),
  /** `qr_code`: SVG of `uri`. */
  totp: Type.Object({ qr_code: Type.String(), secret: Type.String(), uri: Type.String() }),
})

/** `expires_at` in seconds since the Unix epoch. */
export const FactorChallenge = Type.Object({
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
export const FactorId = Type.Object({ id: Uuid })
const recoveryCodes = { id: Uuid, type: Type.Literal('recovery_code'), total: Type.Integer() }
export const RecoveryCodesStatus = Type.Object({ ...recoveryCodes, remaining: Type.Integer() })
export const NewRecoveryCodes = Type.Object({
  ...recoveryCodes,
  friendly_name: Type.String(),
  codes: Type.Array(Type.String()),
})

export const AuthUser = Type.Object({
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

export const AuthSession = Type.Object({
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

export const Empty = Type.Object({})
export const EmailChangeHalfConfirmed = Type.Object({ msg: Type.String(), code: Type.String() })

export const Passkey = Type.Object({
  id: Uuid,
  friendly_name: Type.String(),
  created_at: Instant,
  last_used_at: Type.Optional(Instant),
})

/** The start of a WebAuthn ceremony. `options`: the JSON form of `PublicKeyCredentialCreationOptions` or `…RequestOptions`. */
export const PasskeyCeremony = Type.Object({
  challenge_id: Uuid,
  options: Metadata,
  /** Seconds since the Unix epoch. */
  expires_at: Type.Integer(),
})
