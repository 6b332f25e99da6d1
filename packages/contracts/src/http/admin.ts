import { type Static, Type } from 'typebox'
import { Instant, Nullable, Page, PageQuery, Role, strict, Uuid } from '../common.ts'
import { Code, Opaque } from '../text-fields.ts'

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
  /** Only this entry. */
  id: Type.Optional(Uuid),
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
