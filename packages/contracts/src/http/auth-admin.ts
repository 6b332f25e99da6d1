import { type Static, Type } from 'typebox'
import { Uuid } from '../common.ts'
import { Address, Code, PasswordText } from '../text-fields.ts'
import { Email, optional, Password, userData } from './auth.ts'

/** Request bodies of the admin API of `/auth/v1` (docs/protocols/auth.md §2.11). Unknown fields are accepted. */

const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]))
/** A field of an unsupported feature, declared so that the route can refuse it. */
const refused = Type.Optional(Type.Unknown())

export const AdminUserBody = Type.Object({
  email: optional(Address, 1024),
  password: optional(PasswordText, 1024),
  email_confirm: flag,
  user_metadata: userData,
  app_metadata: userData,
  ban_duration: optional(Code, 64),
  role: optional(Code, 64),
  id: refused,
  phone: refused,
  phone_confirm: refused,
  password_hash: refused,
})
export const ManagedFactorParams = Type.Object({ id: Uuid, factorId: Uuid })
export const ManagedPasskeyParams = Type.Object({ id: Uuid, passkeyId: Uuid })
export const AdminDeleteBody = Type.Object({ should_soft_delete: flag })
export const InviteBody = Type.Object({ email: Email, data: userData })
export const GenerateLinkBody = Type.Object({
  type: Code({ maxLength: 32 }),
  email: Email,
  password: Type.Optional(Type.Union([Password, Type.Null()])),
  data: userData,
  new_email: optional(Address, 1024),
  redirect_to: optional(Address, 2048),
})
/** Numbers as text: the stock client sends an empty text for none. `filter`: the start of an email. */
export const AdminListQuery = Type.Object({
  page: Type.Optional(Code({ maxLength: 16 })),
  per_page: Type.Optional(Code({ maxLength: 16 })),
  filter: optional(Address, 255),
})

export type AdminUserBody = Static<typeof AdminUserBody>
export type GenerateLinkBody = Static<typeof GenerateLinkBody>
export type AdminListQuery = Static<typeof AdminListQuery>
