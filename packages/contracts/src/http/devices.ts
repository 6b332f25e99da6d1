import { Type } from 'typebox'
import { Instant, Nullable } from '../common.ts'
import { Code, Line, Opaque } from '../text-fields.ts'

/** The grant type of RFC 8628 §3.4. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** The public client that pairs televisions. */
export const DEVICE_CLIENT = 'tv'
/** The types of a request's body: stock clients send forms. */
export const FORM_OR_JSON = ['application/x-www-form-urlencoded', 'application/json'] as const

const text = (maxLength: number) => Code({ maxLength, pattern: '^[^\\u0000]*$' })

/**
 * RFC 8628 §3.1. `device_name`, our own: how the sessions list names the device; by default it is derived from the user
 * agent. Other fields are ignored (RFC 6749 §3.1).
 */
export const StartDeviceBody = Type.Object({
  client_id: text(64),
  scope: Type.Optional(text(1000)),
  device_name: Type.Optional(Line({ maxLength: 1000 })),
})
/** RFC 8628 §3.4. `grant_type` is in the query or here. */
export const DeviceGrantBody = Type.Object({
  device_code: Opaque({ maxLength: 256, pattern: '^[^\\u0000]*$' }),
  client_id: Type.Optional(text(64)),
  grant_type: Type.Optional(text(64)),
})
export const DecideDeviceBody = Type.Object({
  user_code: text(64),
  decision: Type.Union([Type.Literal('allow'), Type.Literal('deny')]),
})
export const ReadDeviceQuery = Type.Object({ user_code: text(64) })

/** RFC 8628 §3.2. Times in seconds. */
export const DeviceAuthorization = Type.Object({
  device_code: Type.String(),
  user_code: Type.String(),
  verification_uri: Type.String(),
  verification_uri_complete: Type.String(),
  expires_in: Type.Integer(),
  interval: Type.Integer(),
})

/** A device that waits for a decision. */
export const WaitingDevice = Type.Object({
  user_code: Type.String(),
  /** How the device names itself. Anybody can choose any name. */
  device: Type.String(),
  /** The network that it asked from, shortened. */
  network: Nullable(Type.String()),
  /** Whether the caller is on this network. */
  same_network: Type.Boolean(),
  created_at: Instant,
  expires_at: Instant,
})

/** Error of RFC 6749 §5.2 and RFC 8628 §3.5. */
export const OAuthErrorBody = Type.Object({ error: Type.String(), error_description: Type.String() })

/** RFC 8414 §2. */
export const ServerMetadata = Type.Object({
  issuer: Type.String(),
  token_endpoint: Type.String(),
  device_authorization_endpoint: Type.String(),
  jwks_uri: Type.String(),
  response_types_supported: Type.Array(Type.String()),
  grant_types_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
})
