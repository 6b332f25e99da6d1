import { type Static, Type } from 'typebox'
import { Instant, Nullable, Page, PageQuery, Role, strict, Uuid } from '../common.ts'
import { PictureVersion } from '../pictures.ts'
import { Address, Code, Line, Opaque } from '../text-fields.ts'

/**
 * One entry of the audit log. The `action` of a security event starts with `security_`. `isPseudonymised`: the ids of
 * users are pseudonyms, the same for each entry of one user, and `details`, `before` and `after` are empty.
 */
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
  isPseudonymised: Type.Boolean(),
})
export type AuditEntry = Static<typeof AuditEntry>
const auditFilter = {
  adminUserId: Type.Optional(Uuid),
  action: Type.Optional(Code({ minLength: 1, maxLength: 100 })),
  targetUserId: Type.Optional(Uuid),
  security: Type.Optional(Type.Boolean()),
  since: Type.Optional(Instant),
  until: Type.Optional(Instant),
}
export const AuditQuery = Type.Object({ ...PageQuery.properties, ...auditFilter }, strict)
export const AuditPage = Page(AuditEntry)
export type AuditPage = Static<typeof AuditPage>
/** GET /api/audit/actions: all actions that occur in the log, sorted by name. */
export const AuditActions = Type.Object({ items: Type.Array(Type.String()) })
export type AuditActions = Static<typeof AuditActions>

/**
 * GET /api/audit/last-editor: who made the last recorded change of the home screen, of a channel's playlist or of a
 * video (`targetId`), within 30 days. `userId` is null if none is recorded or it was not made by a user.
 */
export const LastEditorQuery = Type.Object(
  {
    subject: Type.Union([Type.Literal('home'), Type.Literal('playlist'), Type.Literal('video')]),
    targetId: Type.Optional(Code({ minLength: 1, maxLength: 100 })),
  },
  strict,
)
export type LastEditorQuery = Static<typeof LastEditorQuery>
export const LastEditor = Type.Object({ userId: Nullable(Uuid) })
export type LastEditor = Static<typeof LastEditor>

/** POST /api/audit/export: the filtered entries as a file, newest first. The export itself is audited. */
export const AuditExportBody = Type.Object(
  { format: Type.Union([Type.Literal('csv'), Type.Literal('json')]), ...auditFilter },
  strict,
)
export type AuditExportBody = Static<typeof AuditExportBody>
/** Maximum entries per export. The header `x-truncated: true` means that there were more: export shorter periods. */
export const AUDIT_EXPORT_MAX_LINES = 50_000

/** POST /internal/guard: whether the user may run a guarded action now. Refusals are 401, 403 or 429. */
export const GuardBody = Type.Object(
  {
    userId: Nullable(Uuid),
    role: Role,
    action: Code({ pattern: '^[a-z_]+(\\.[a-z_]+)*$', maxLength: 100 }),
    targetUserId: Type.Optional(Nullable(Uuid)),
    requestId: Type.Optional(Opaque({ maxLength: 100 })),
  },
  strict,
)
export type GuardBody = Static<typeof GuardBody>
export const GuardResult = Type.Object({
  allowed: Type.Literal(true),
  remaining: Type.Integer({ minimum: 0 }),
})

/**
 * Maximum refused attempts of one user in the audit log per hour, and of all anonymous users of one network. One further
 * entry states that there were more.
 */
export const REFUSED_ATTEMPTS_PER_HOUR = 20
/** What the user of a refused attempt lacks: the role, the scope of the personal access token, or an account. */
const ATTEMPT_LACKS = ['role', 'scope', 'account'] as const
export type AttemptLack = (typeof ATTEMPT_LACKS)[number]
/** An admin or moderator action that a signed-in user was refused. */
export const RefusedAttempt = Type.Object(
  {
    /** Id of the attempt. Duplicate reports are counted once. */
    id: Uuid,
    userId: Uuid,
    role: Opaque({ maxLength: 40 }),
    /** The endpoint's name, as in logs and metrics. */
    operation: Opaque({ maxLength: 100 }),
    /** Method and path pattern, as in `PUT /api/users/:id/role`. */
    route: Opaque({ maxLength: 200 }),
    /** Path parameters. */
    params: Type.Record(Type.String({ maxLength: 40 }), Opaque({ maxLength: 100 })),
    targetUserId: Nullable(Uuid),
    requestId: Opaque({ maxLength: 100 }),
    occurredAt: Instant,
    /** Absent for the role. */
    lacks: Type.Optional(Type.Enum(ATTEMPT_LACKS)),
    /** Of anonymous users: a keyed digest of the network, by which their attempts are counted too. Not recorded. */
    network: Type.Optional(Opaque({ minLength: 1, maxLength: 40 })),
  },
  strict,
)
export type RefusedAttempt = Static<typeof RefusedAttempt>
/** POST /internal/refused-attempts: records attempts in the audit log, up to the limits per hour. */
export const RefusedAttemptsBody = Type.Object(
  { attempts: Type.Array(RefusedAttempt, { minItems: 1, maxItems: 100 }) },
  strict,
)
export type RefusedAttemptsBody = Static<typeof RefusedAttemptsBody>

const Colour = Code({ pattern: '^#[0-9a-fA-F]{6}$' })
/** An https URL or a path of this site (`//host` would be another site). */
const AssetUrl = Nullable(Address({ maxLength: 2048, pattern: '^(https://|/(?!/))' }))
/** Fonts of a theme. */
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
/** Texts of the cards between videos. An empty `cardStationName` is the station's name. */
const cardTexts = {
  cardStationName: Line({ maxLength: 60 }),
  cardNextText: Line({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  cardPreviousText: Line({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  cardCountdownText: Line({ minLength: 1, maxLength: 60, pattern: '\\S' }),
}
const CardTexts = Type.Object(cardTexts)
export type CardTexts = Static<typeof CardTexts>
export const DEFAULT_CARD_TEXTS: CardTexts = {
  cardStationName: '',
  cardNextText: 'Coming up next',
  cardPreviousText: 'You just saw',
  cardCountdownText: 'Starts in',
}

export const ThemeBody = Type.Object(
  {
    primaryColor: Colour,
    secondaryColor: Colour,
    accentColor: Colour,
    backgroundColor: Colour,
    textColor: Colour,
    fontFamily: Type.Enum(THEME_FONTS),
    fontSize: Type.Integer({ minimum: 12, maximum: 24 }),
    borderRadius: Type.Integer({ minimum: 0, maximum: 20 }),
    logoUrl: AssetUrl,
    heroBackgroundUrl: AssetUrl,
    ...cardTexts,
  },
  strict,
)
export type ThemeBody = Static<typeof ThemeBody>
/** PUT /api/theme. Card texts that are missing get their defaults. */
export const SaveThemeBody = Type.Object(
  { ...ThemeBody.properties, ...Type.Partial(CardTexts).properties },
  strict,
)
export type SaveThemeBody = Static<typeof SaveThemeBody>
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
  ...DEFAULT_CARD_TEXTS,
}

/** POST /api/theme/assets: a logo or a hero background. */
export const THEME_ASSET_MAX_BYTES = 1_000_000
/** Pixels. */
export const THEME_ASSET_MAX_SIDE = 4096
/** URL of an uploaded picture, for `logoUrl` or `heroBackgroundUrl` of a theme. */
export const ThemeAsset = Type.Object({ url: Type.String() })
export type ThemeAsset = Static<typeof ThemeAsset>
export const ThemeAssetParams = Type.Object({ version: PictureVersion }, strict)

/** GET /api/theme/history: maximum number of saved themes, latest first. */
export const THEME_HISTORY_LIMIT = 12
/** A saved theme with its author and time. */
export const SavedTheme = Type.Object({ id: Uuid, theme: ThemeBody, createdBy: Uuid, createdAt: Instant })
export type SavedTheme = Static<typeof SavedTheme>
export const ThemeHistory = Type.Object({ items: Type.Array(SavedTheme) })
export type ThemeHistory = Static<typeof ThemeHistory>

function presetTheme(
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

/** Preset themes. The first is the default. */
export const THEME_PRESETS: readonly { name: string; theme: ThemeBody }[] = [
  { name: 'Default Dark', theme: presetTheme('#2563eb', '#64748b', '#f59e0b', '#1f2937', '#ffffff') },
  {
    name: 'Ocean Blue',
    theme: presetTheme('#0284c7', '#0e7490', '#22d3ee', '#082f49', '#f0f9ff', 'Open Sans', 10),
  },
  {
    name: 'Sunset Orange',
    theme: presetTheme('#ea580c', '#b45309', '#fbbf24', '#2a1208', '#fff7ed', 'Poppins', 12),
  },
  {
    name: 'Forest Green',
    theme: presetTheme('#15803d', '#4d7c0f', '#a3e635', '#0b1f14', '#f0fdf4', 'Lato', 6),
  },
  {
    name: 'Royal Purple',
    theme: presetTheme('#7c3aed', '#6d28d9', '#f0abfc', '#1e1033', '#faf5ff', 'Raleway', 10),
  },
  {
    name: 'Rose Gold',
    theme: presetTheme('#be5a6e', '#9f7467', '#f2b8a0', '#2b171b', '#fff1f2', 'Playfair Display', 14),
  },
  {
    name: 'Cyber Neon',
    theme: presetTheme('#d946ef', '#0891b2', '#39ff14', '#09090f', '#f4f4ff', 'Oswald', 2),
  },
  {
    name: 'Warm Amber',
    theme: presetTheme('#d97706', '#92764f', '#fde68a', '#231a0c', '#fffbeb', 'Merriweather', 8),
  },
  {
    name: 'Cool Mint',
    theme: presetTheme('#0d9488', '#5b8a86', '#99f6e4', '#0a2322', '#f0fdfa', 'Nunito', 16),
  },
  {
    name: 'Midnight Blue',
    theme: presetTheme('#3b5bdb', '#475569', '#93c5fd', '#0a1027', '#eef2ff', 'Montserrat', 8),
  },
]

/** Services with dead letters, each at `/api/dead-letters/<service>`. */
export const DEAD_LETTER_SERVICES = [
  'auth',
  'catalogue',
  'stream-scheduler',
  'chat',
  'admin-audit',
  'metadata-worker',
] as const
export type DeadLetterService = (typeof DEAD_LETTER_SERVICES)[number]
/** An event that could not be applied or published, stored for an admin to inspect, replay or drop. */
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

/** GET /api/viewers: number of viewers per channel; channels without viewers are omitted. */
export const ViewerReport = Type.Object({ counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 })) })
export type ViewerReport = Static<typeof ViewerReport>

/** GET /api/health. `isViewerFacing`: viewers depend on this service. The station works if any of these is healthy. */
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
