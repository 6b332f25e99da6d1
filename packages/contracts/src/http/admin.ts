import { type Static, Type } from 'typebox'
import { Instant, Nullable, Page, PageQuery, strict, Uuid } from '../common.ts'
import { PictureVersion } from '../pictures.ts'

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
const auditFilter = {
  adminUserId: Type.Optional(Uuid),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  targetUserId: Type.Optional(Uuid),
  security: Type.Optional(Type.Boolean()),
  since: Type.Optional(Instant),
  until: Type.Optional(Instant),
}
export const AuditQuery = Type.Object({ ...PageQuery.properties, ...auditFilter }, strict)
export const AuditPage = Page(AuditEntry)
export type AuditPage = Static<typeof AuditPage>
/** GET /api/audit/actions: every action that the log has a line of, each once, by name. */
export const AuditActions = Type.Object({ items: Type.Array(Type.String()) })
export type AuditActions = Static<typeof AuditActions>

/** POST /api/audit/export: the lines that a filter leaves, newest first, as a file. Itself a line of the log. */
export const AuditExportBody = Type.Object(
  { format: Type.Union([Type.Literal('csv'), Type.Literal('json')]), ...auditFilter },
  strict,
)
export type AuditExportBody = Static<typeof AuditExportBody>
/** A larger log is exported in spans of time; the header `x-truncated: true` says that there was more. */
export const AUDIT_EXPORT_MAX_LINES = 50_000

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

/** How many refused attempts of one user enter the audit log in an hour; one more entry says that there were others. */
export const REFUSED_ATTEMPTS_PER_HOUR = 20
/** A request that was refused because its user lacks a role. */
export const RefusedAttempt = Type.Object(
  {
    /** Of the attempt: the same one reported twice counts once. */
    id: Uuid,
    userId: Uuid,
    role: Type.String({ maxLength: 40 }),
    /** The endpoint's name, as in logs and metrics. */
    operation: Type.String({ maxLength: 100 }),
    /** Method and path pattern, as in `PUT /api/users/:id/role`. */
    route: Type.String({ maxLength: 200 }),
    /** What stood in the places of the path. */
    params: Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 100 })),
    targetUserId: Nullable(Uuid),
    requestId: Type.String({ maxLength: 100 }),
    occurredAt: Instant,
  },
  strict,
)
export type RefusedAttempt = Static<typeof RefusedAttempt>
/** POST /internal/refused-attempts: for the audit log, up to its limit per user and hour. */
export const RefusedAttemptsBody = Type.Object(
  { attempts: Type.Array(RefusedAttempt, { minItems: 1, maxItems: 100 }) },
  strict,
)
export type RefusedAttemptsBody = Static<typeof RefusedAttemptsBody>

const Colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })
/** Another site's by https, or a path of our own (`//host` would be another site's). */
const AssetUrl = Nullable(Type.String({ maxLength: 2048, pattern: '^(https://|/(?!/))' }))
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

/** POST /api/theme/assets: a logo or a hero background. */
export const THEME_ASSET_MAX_BYTES = 1_000_000
/** Pixels. */
export const THEME_ASSET_MAX_SIDE = 4096
/** Where an uploaded picture is from now on: for `logoUrl` or `heroBackgroundUrl` of a theme. */
export const ThemeAsset = Type.Object({ url: Type.String() })
export type ThemeAsset = Static<typeof ThemeAsset>
export const ThemeAssetParams = Type.Object({ version: PictureVersion }, strict)

/** GET /api/theme/history: how many of the themes that were saved last. */
export const THEME_HISTORY_LIMIT = 12
/** A theme that was saved, by whom and when. */
export const SavedTheme = Type.Object({ id: Uuid, theme: ThemeBody, createdBy: Uuid, createdAt: Instant })
export type SavedTheme = Static<typeof SavedTheme>
export const ThemeHistory = Type.Object({ items: Type.Array(SavedTheme) })
export type ThemeHistory = Static<typeof ThemeHistory>

function look(
  primaryColor: string,
  secondaryColor: string,
  accentColor: string,
  backgroundColor: string,
  textColor: string,
  fontFamily: ThemeBody['fontFamily'] = DEFAULT_THEME.fontFamily,
  borderRadius = DEFAULT_THEME.borderRadius,
): ThemeBody {
  const colours = { primaryColor, secondaryColor, accentColor, backgroundColor, textColor }
  return { ...DEFAULT_THEME, ...colours, fontFamily, borderRadius }
}

/** The ten presets of the admin specification §9, in its order. The first is the default. */
export const THEME_PRESETS: readonly { name: string; theme: ThemeBody }[] = [
  { name: 'Default Dark', theme: look('#2563eb', '#64748b', '#f59e0b', '#1f2937', '#ffffff') },
  { name: 'Ocean Blue', theme: look('#0284c7', '#0e7490', '#22d3ee', '#082f49', '#f0f9ff', 'Open Sans', 10) },
  {
    name: 'Sunset Orange',
    theme: look('#ea580c', '#b45309', '#fbbf24', '#2a1208', '#fff7ed', 'Poppins', 12),
  },
  { name: 'Forest Green', theme: look('#15803d', '#4d7c0f', '#a3e635', '#0b1f14', '#f0fdf4', 'Lato', 6) },
  { name: 'Royal Purple', theme: look('#7c3aed', '#6d28d9', '#f0abfc', '#1e1033', '#faf5ff', 'Raleway', 10) },
  {
    name: 'Rose Gold',
    theme: look('#be5a6e', '#9f7467', '#f2b8a0', '#2b171b', '#fff1f2', 'Playfair Display', 14),
  },
  { name: 'Cyber Neon', theme: look('#d946ef', '#0891b2', '#39ff14', '#09090f', '#f4f4ff', 'Oswald', 2) },
  {
    name: 'Warm Amber',
    theme: look('#d97706', '#92764f', '#fde68a', '#231a0c', '#fffbeb', 'Merriweather', 8),
  },
  { name: 'Cool Mint', theme: look('#0d9488', '#5b8a86', '#99f6e4', '#0a2322', '#f0fdfa', 'Nunito', 16) },
  {
    name: 'Midnight Blue',
    theme: look('#3b5bdb', '#475569', '#93c5fd', '#0a1027', '#eef2ff', 'Montserrat', 8),
  },
]

/** The services that keep dead letters, each at `/api/dead-letters/<service>`. */
export const DEAD_LETTER_SERVICES = [
  'auth',
  'catalogue',
  'stream-scheduler',
  'chat',
  'admin-audit',
  'metadata-worker',
] as const
export type DeadLetterService = (typeof DEAD_LETTER_SERVICES)[number]
/** A stored event that a consumer could not take, kept for an admin to look at, to replay or to drop. */
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
export type DeadLetterPage = Static<typeof DeadLetterPage>
/** POST /api/dead-letters/<service>/:id/replay (guarded) and DELETE /api/dead-letters/<service>/:id (admin) */
export const DeadLetterParams = Type.Object(
  { id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) },
  strict,
)

/** GET /api/viewers: how many watch each channel; channels without viewers are left out. */
export const ViewerReport = Type.Object({ counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 })) })
export type ViewerReport = Static<typeof ViewerReport>

/** GET /api/health. `isViewerFacing`: viewers depend on this service; the station works while one of these is healthy. */
export const HealthReport = Type.Object({
  results: Type.Array(
    Type.Object({
      service: Type.String(),
      healthy: Type.Boolean(),
      isViewerFacing: Type.Boolean(),
      checkedAtMs: Type.Integer(),
      detail: Type.Optional(Type.String()),
    }),
  ),
})
export type HealthReport = Static<typeof HealthReport>
