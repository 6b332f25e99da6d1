import { type Static, Type } from 'typebox'
import { Instant, Nullable, Page, PageQuery, strict, Uuid } from '../common.ts'

/** One line of the audit log. `action` of a security event is prefixed `security_`. */
export const AuditEntry = Type.Object({
  id: Uuid,
  adminUserId: Nullable(Uuid),
  action: Type.String(),
  targetType: Nullable(Type.String()),
  targetId: Nullable(Type.String()),
  targetUserId: Nullable(Uuid),
  details: Type.Unknown(),
  before: Type.Unknown(),
  after: Type.Unknown(),
  createdAt: Instant,
})
export type AuditEntry = Static<typeof AuditEntry>
export const AuditQuery = Type.Object(
  {
    ...PageQuery.properties,
    adminUserId: Type.Optional(Uuid),
    action: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    targetUserId: Type.Optional(Uuid),
    security: Type.Optional(Type.Boolean()),
    since: Type.Optional(Instant),
    until: Type.Optional(Instant),
  },
  strict,
)
export const AuditPage = Page(AuditEntry)
export type AuditPage = Static<typeof AuditPage>

/** POST /internal/guard: may this person do this guarded action now? Refusals are 401, 403 or 429. */
export const GuardBody = Type.Object(
  {
    userId: Nullable(Uuid),
    role: Type.String(),
    action: Type.String({ pattern: '^[a-z_]+(\\.[a-z_]+)*$', maxLength: 100 }),
    targetUserId: Type.Optional(Nullable(Uuid)),
    requestId: Type.Optional(Type.String({ maxLength: 100 })),
  },
  strict,
)
export type GuardBody = Static<typeof GuardBody>
export const GuardResult = Type.Object({
  allowed: Type.Literal(true),
  remaining: Type.Integer({ minimum: 0 }),
})

const Colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })
const AssetUrl = Nullable(Type.String({ maxLength: 2048, pattern: '^(https://|/)' }))
/** The 14 fonts of the admin specification §9. */
export const THEME_FONTS = [
  'Inter',
  'Roboto',
  'Open Sans',
  'Lato',
  'Montserrat',
  'Poppins',
  'Source Sans Pro',
  'Nunito',
  'Raleway',
  'Ubuntu',
  'Playfair Display',
  'Merriweather',
  'Oswald',
  'Dancing Script',
] as const
export const ThemeBody = Type.Object(
  {
    primaryColor: Colour,
    secondaryColor: Colour,
    accentColor: Colour,
    backgroundColor: Colour,
    textColor: Colour,
    fontFamily: Type.Enum([...THEME_FONTS]),
    fontSize: Type.Integer({ minimum: 12, maximum: 24 }),
    borderRadius: Type.Integer({ minimum: 0, maximum: 20 }),
    logoUrl: AssetUrl,
    heroBackgroundUrl: AssetUrl,
  },
  strict,
)
export type ThemeBody = Static<typeof ThemeBody>
export const DEFAULT_THEME: ThemeBody = {
  primaryColor: '#2563eb',
  secondaryColor: '#64748b',
  accentColor: '#f59e0b',
  backgroundColor: '#1f2937',
  textColor: '#ffffff',
  fontFamily: 'Inter',
  fontSize: 16,
  borderRadius: 8,
  logoUrl: null,
  heroBackgroundUrl: null,
}

/** A stored event that a consumer could not take, kept for an admin to look at and replay. */
export const DeadLetter = Type.Object({
  id: Type.String(),
  consumer: Type.String(),
  subject: Type.String(),
  eventId: Nullable(Type.String()),
  envelope: Type.Unknown(),
  error: Type.String(),
  failedAt: Instant,
  replayedAt: Nullable(Instant),
})
export type DeadLetter = Static<typeof DeadLetter>
export const DeadLetterPage = Page(DeadLetter)

/** GET /api/health */
export const HealthReport = Type.Object({
  results: Type.Array(
    Type.Object({
      service: Type.String(),
      healthy: Type.Boolean(),
      checkedAtMs: Type.Integer(),
      detail: Type.Optional(Type.String()),
    }),
  ),
})
export type HealthReport = Static<typeof HealthReport>
