import { type Static, Type } from 'typebox'
import { Instant, Nullable, Page, PageQuery, RestrictionType, Role, strict, Uuid } from '../common.ts'
import { PictureVersion } from '../pictures.ts'
import { Address, Code, Line, Paragraph, PasswordText } from '../text-fields.ts'

export const Profile = Type.Object({
  userId: Uuid,
  handle: Nullable(Type.String()),
  artistName: Nullable(Type.String()),
  avatarUrl: Nullable(Type.String()),
})
export type Profile = Static<typeof Profile>

/** A session whose tokens below a generation are refused, though it has not ended. */
export const OutdatedSession = Type.Object({ id: Uuid, minGeneration: Type.Integer() })
export type OutdatedSession = Static<typeof OutdatedSession>

/** A change of email address that is not confirmed yet. */
export const EmailChange = Type.Object({
  newEmail: Type.String(),
  /** Which of the two addresses has confirmed the change so far. */
  confirmedBy: Nullable(Type.Union([Type.Literal('current'), Type.Literal('new')])),
  /** When the emailed links expire or expired. */
  expiresAt: Instant,
})
export type EmailChange = Static<typeof EmailChange>

/** A restriction as the restricted user sees it. */
export const OwnRestriction = Type.Object({
  restrictionType: RestrictionType,
  reason: Type.String(),
  expiresAt: Nullable(Instant),
})
export type OwnRestriction = Static<typeof OwnRestriction>

/** GET /api/me: the token's user. */
export const Me = Type.Object({
  id: Uuid,
  /** Null for an anonymous user, who has no account (`ANONYMOUS_SIGN_IN`). */
  email: Nullable(Type.String()),
  role: Role,
  isAdmin: Type.Boolean(),
  /** True for the admin with the handle `ADMIN_WELCOME_HANDLE`: the web app shows a welcome toast. */
  hasWelcomeToast: Type.Boolean(),
  profile: Profile,
  restrictions: Type.Array(RestrictionType),
  /** The same restrictions with reason and expiry. */
  activeRestrictions: Type.Array(OwnRestriction),
  /** False for accounts that sign in by email only. */
  hasPassword: Type.Boolean(),
  emailChange: Nullable(EmailChange),
  /**
   * For users with a role whose session has no second factor, by `SECOND_FACTOR`; otherwise null. `required`: `role`
   * is `user` until they have turned two-step verification on.
   */
  secondFactor: Nullable(Type.Union([Type.Literal('recommended'), Type.Literal('required')])),
})
export type Me = Static<typeof Me>

/** GET /api/me/is-admin; false for visitors. */
export const IsAdmin = Type.Object({ isAdmin: Type.Boolean() })

/** Browser and system in words, such as "Chrome on Windows". Null if unknown. */
const Device = Nullable(Type.String())
/** IPv4 /24 or IPv6 /48. Null if unknown. */
const Network = Nullable(Type.String())

/** GET /api/me/sessions: the user's sessions, latest first, at most 100. */
export const Session = Type.Object({
  id: Uuid,
  current: Type.Boolean(),
  /** A TV that was paired with a code. */
  paired: Type.Boolean(),
  device: Device,
  network: Network,
  createdAt: Instant,
  refreshedAt: Instant,
})
export type Session = Static<typeof Session>
export const SessionList = Type.Object({ items: Type.Array(Session) })
/** GET /api/me/sign-ins: attempts of the last 90 days, latest first. At most 100 of each outcome are kept. */
export const SignIn = Type.Object({
  id: Uuid,
  /** `password`, `link` and `code` (both mailed), `passkey`, `oauth`, `anonymous`, `device` (paired). */
  method: Type.String(),
  succeeded: Type.Boolean(),
  device: Device,
  network: Network,
  createdAt: Instant,
})
export type SignIn = Static<typeof SignIn>
export const SignInPage = Page(SignIn)
export type SignInPage = Static<typeof SignInPage>
export const SessionParams = Type.Object({ sessionId: Uuid }, strict)

/**
 * DELETE /api/me. Requires the password if the account has one, otherwise a recent sign-in. `deleteMessages`: deletes the
 * chat messages too; without it they stay without a name.
 */
export const DeleteMeBody = Type.Object(
  {
    password: Type.Optional(PasswordText({ maxLength: 1024 })),
    deleteMessages: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type DeleteMeBody = Static<typeof DeleteMeBody>

/** A handle: 3 to 30 of a-z, 0-9, `_`, compared without case. */
export const HANDLE_PATTERN = '^[A-Za-z0-9_]{3,30}$'
export const UpdateProfileBody = Type.Object(
  {
    handle: Type.Optional(Code({ pattern: HANDLE_PATTERN })),
    artistName: Type.Optional(Nullable(Line({ maxLength: 100 }))),
    avatarUrl: Type.Optional(Nullable(Address({ maxLength: 2048, pattern: '^https://' }))),
  },
  { ...strict, minProperties: 1 },
)
export const HandleParams = Type.Object({ handle: Code({ pattern: HANDLE_PATTERN }) }, strict)
/** GET /api/profiles/handles/:handle: whether the caller may take this handle. */
export const HandleCheck = Type.Object({ handle: Type.String(), available: Type.Boolean() })
export type HandleCheck = Static<typeof HandleCheck>

/** PUT /api/me/avatar */
export const AVATAR_MAX_BYTES = 262_144
/** Pixels. */
export const AVATAR_MAX_SIDE = 1024
/** GET /api/profiles/:id/avatar/:version: the `avatarUrl` of an uploaded picture. */
export const AvatarParams = Type.Object({ id: Uuid, version: PictureVersion }, strict)

export const UserParams = Type.Object({ id: Uuid }, strict)
export const ProfilePage = Page(Profile)
/** GET /api/profiles/lookup: several profiles by comma-separated `ids`; missing ones are omitted. */
export const LookUpProfilesQuery = Type.Object(
  { ids: Code({ pattern: '^[0-9a-f-]{36}(?:,[0-9a-f-]{36}){0,99}$' }) },
  strict,
)
export const ProfileLookUp = Type.Object({ items: Type.Array(Profile) })
export type ProfileLookUp = Static<typeof ProfileLookUp>
export const ListProfilesQuery = Type.Object(
  { ...PageQuery.properties, q: Type.Optional(Line({ minLength: 1, maxLength: 100 })) },
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
    reason: Paragraph({ minLength: 1, maxLength: 500, pattern: '\\S' }),
    expiresAt: Type.Optional(Nullable(Instant)),
    /**
     * Id of the active restriction of this type to be replaced; null if there should be none. If another one is active,
     * the response is `already_exists`, with that restriction in the message and its id in `details` at `/replaces`.
     * Without this field any active restriction is replaced.
     */
    replaces: Type.Optional(Nullable(Uuid)),
  },
  strict,
)
export type AddRestrictionBody = Static<typeof AddRestrictionBody>
export const RestrictionParams = Type.Object({ id: Uuid, restrictionId: Uuid }, strict)

/** GET /api/users (admin): profiles with role and restrictions, by handle. */
export const AdminUser = Type.Object({
  id: Uuid,
  /** Null for an anonymous user. */
  email: Nullable(Type.String()),
  role: Role,
  profile: Profile,
  restrictions: Type.Array(Restriction),
  createdAt: Instant,
})
export type AdminUser = Static<typeof AdminUser>
export const AdminUserPage = Page(AdminUser)
export type AdminUserPage = Static<typeof AdminUserPage>
/** DELETE /api/users/:id/sessions, POST /api/users/end-sessions: the number of ended sessions. */
export const EndedSessions = Type.Object({ ended: Type.Integer() })
export type EndedSessions = Static<typeof EndedSessions>
/** POST /api/users/end-sessions. The confirmation protects against a request by mistake. */
export const EndAllSessionsBody = Type.Object({ all: Type.Literal(true) }, strict)
export const SetRoleBody = Type.Object({ role: Role }, strict)

/** GET /internal/access: data with which a process checks tokens without a request to auth. Times in epoch ms. */
export const AccessSnapshot = Type.Object({
  revokedSessions: Type.Array(Type.Object({ id: Uuid, untilMs: Type.Integer() })),
  outdatedSessions: Type.Optional(
    Type.Array(Type.Object({ ...OutdatedSession.properties, untilMs: Type.Integer() })),
  ),
  /** Revoked signing keys: their tokens are invalid. */
  revokedKeys: Type.Optional(Type.Array(Type.Object({ kid: Type.String(), untilMs: Type.Integer() }))),
  roles: Type.Array(Type.Object({ userId: Uuid, role: Role })),
  /** `SECOND_FACTOR=required`: roles count only in sessions with `aal2`. */
  staffNeedsFactor: Type.Optional(Type.Boolean()),
})
export type AccessSnapshot = Static<typeof AccessSnapshot>
