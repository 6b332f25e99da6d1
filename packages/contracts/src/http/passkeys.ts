import { type Static, Type } from 'typebox'
import { Uuid } from '../common.ts'
import { PASSKEY_NAME_MAX } from '../credential-limits.ts'
import { Line, Opaque } from '../text-fields.ts'

/**
 * Bodies of `/auth/v1/passkeys`: names of the auth protocol (snake case) around the JSON of WebAuthn (camel case). Like
 * everywhere in that protocol, unknown fields are accepted.
 */

/** Bytes as base64url without padding, of at most `maxLength` characters. */
const bytes = (maxLength: number) => Opaque({ maxLength, pattern: '^[A-Za-z0-9_-]+$' })
/** A credential id has at most 1,023 bytes (WebAuthn Level 3, §4). */
const CredentialId = bytes(1364)
const credential = { id: CredentialId, rawId: CredentialId, type: Type.Literal('public-key') }

/** `RegistrationResponseJSON` of WebAuthn: what `navigator.credentials.create()` returned. */
export const RegistrationCredential = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: bytes(8192),
    attestationObject: bytes(32_768),
    transports: Type.Optional(Type.Array(Opaque({ maxLength: 32 }), { maxItems: 16 })),
  }),
})
export type RegistrationCredential = Static<typeof RegistrationCredential>

/** `AuthenticationResponseJSON` of WebAuthn: what `navigator.credentials.get()` returned. */
export const AuthenticationCredential = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: bytes(8192),
    authenticatorData: bytes(8192),
    signature: bytes(8192),
    userHandle: Type.Optional(Type.Union([bytes(128), Type.Null()])),
  }),
})
export type AuthenticationCredential = Static<typeof AuthenticationCredential>

export const VerifyRegistrationBody = Type.Object({ challenge_id: Uuid, credential: RegistrationCredential })
export const VerifyAuthenticationBody = Type.Object({
  challenge_id: Uuid,
  credential: AuthenticationCredential,
})
export const RenamePasskeyBody = Type.Object({
  friendly_name: Line({
    minLength: 1,
    maxLength: PASSKEY_NAME_MAX,
    // Not empty, on one line: the name is part of mails.
    pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
  }),
})
export const PasskeyParams = Type.Object({ passkeyId: Uuid })

/** A passkey as its owner sees it. */
export interface Passkey {
  id: string
  friendly_name: string
  created_at: string
  /** Absent until the first sign-in with it. */
  last_used_at?: string
}
