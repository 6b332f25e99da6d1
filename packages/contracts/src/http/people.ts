import { type Static, Type } from 'typebox'
import { Instant, Nullable, Page, PageQuery, RestrictionType, Role, strict, Uuid } from '../common.ts'

export const Profile = Type.Object({
  userId: Uuid,
  handle: Nullable(Type.String()),
  artistName: Nullable(Type.String()),
  avatarUrl: Nullable(Type.String()),
})
export type Profile = Static<typeof Profile>

/** GET /api/me: who the token belongs to. */
export const Me = Type.Object({
  id: Uuid,
  email: Type.String(),
  role: Role,
  isAdmin: Type.Boolean(),
  profile: Profile,
  restrictions: Type.Array(RestrictionType),
})
export type Me = Static<typeof Me>

/** GET /api/me/is-admin: the check the web app asks for; false for visitors. */
export const IsAdmin = Type.Object({ isAdmin: Type.Boolean() })

/** GET /api/me/sessions: where one is signed in, the latest first, at most 100. */
export const Session = Type.Object({
  id: Uuid,
  current: Type.Boolean(),
  userAgent: Nullable(Type.String()),
  ip: Nullable(Type.String()),
  createdAt: Instant,
  refreshedAt: Instant,
})
export type Session = Static<typeof Session>
export const SessionList = Type.Object({ items: Type.Array(Session) })
export const SessionParams = Type.Object({ sessionId: Uuid }, strict)

/** DELETE /api/me: the password is asked for when the account has one; else the sign-in must be fresh. */
export const DeleteMeBody = Type.Object({ password: Type.Optional(Type.String({ maxLength: 1024 })) }, strict)

/** A handle: 3 to 30 of a-z, 0-9, `_`, compared without case. */
export const HANDLE_PATTERN = '^[A-Za-z0-9_]{3,30}$'
export const UpdateProfileBody = Type.Object(
  {
    handle: Type.Optional(Type.String({ pattern: HANDLE_PATTERN })),
    artistName: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    avatarUrl: Type.Optional(Nullable(Type.String({ maxLength: 2048, pattern: '^https://' }))),
  },
  { ...strict, minProperties: 1 },
)
export const UserParams = Type.Object({ id: Uuid }, strict)
export const ProfilePage = Page(Profile)
export const ListProfilesQuery = Type.Object(
  { ...PageQuery.properties, q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) },
  strict,
)

export const Restriction = Type.Object({
  id: Uuid,
  userId: Uuid,
  restrictionType: RestrictionType,
  reason: Type.String(),
  createdBy: Nullable(Uuid),
  createdAt: Instant,
  expiresAt: Nullable(Instant),
})
export type Restriction = Static<typeof Restriction>
export const AddRestrictionBody = Type.Object(
  {
    restrictionType: RestrictionType,
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
    expiresAt: Type.Optional(Nullable(Instant)),
  },
  strict,
)
export const RestrictionParams = Type.Object({ id: Uuid, restrictionId: Uuid }, strict)

/** GET /api/users (admin): profiles with role and restrictions, by handle. */
export const AdminUser = Type.Object({
  id: Uuid,
  email: Type.String(),
  role: Role,
  profile: Profile,
  restrictions: Type.Array(Restriction),
  createdAt: Instant,
})
export type AdminUser = Static<typeof AdminUser>
export const AdminUserPage = Page(AdminUser)
export const SetRoleBody = Type.Object({ role: Role }, strict)

/** GET /internal/access: what a process must know to judge a token on its own. Times in epoch ms. */
export const AccessSnapshot = Type.Object({
  revokedSessions: Type.Array(Type.Object({ id: Uuid, untilMs: Type.Integer() })),
  roles: Type.Array(Type.Object({ userId: Uuid, role: Role })),
})
export type AccessSnapshot = Static<typeof AccessSnapshot>
