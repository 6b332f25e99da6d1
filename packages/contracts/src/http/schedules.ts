import { type Static, Type } from 'typebox'
import { ChannelId, Instant, Nullable, Page, PageQuery, strict, Uuid } from '../common.ts'
import { IdentKind, ScheduleDocument, ScheduleProblem, Source } from '../schedule.ts'
import { Paragraph } from '../text-fields.ts'

// The schedule of a channel: a draft, published versions and a preview. The document's schema is ../schedule.ts. All
// routes are for admins. `problems` have the JSON pointer of the faulty part and a message for admins.

/** Largest schedule document (bytes of JSON). */
export const MAX_SCHEDULE_BYTES = 524_288
/** Longest period of a preview, in ms. */
export const MAX_PREVIEW_MS = 8 * 86_400_000
/** A preview may end at most this far in the future, in ms. */
export const MAX_PREVIEW_AHEAD_MS = 5 * 366 * 86_400_000

/** What a version changes or what a submission lacks, for other people who edit the schedule. */
const ScheduleNote = Paragraph({ maxLength: 500 })

/** A document that is being written: parts may still be missing. Fields that are present are valid. */
export const ScheduleDraftDocument = Type.Partial(ScheduleDocument, strict)
export type ScheduleDraftDocument = Static<typeof ScheduleDraftDocument>

/**
 * GET /api/channels/:id/schedule: the published schedule. Without one, `version` is 0, `document` is null, and the channel
 * repeats its playlist. `problems` are those that the document has now: videos may have been removed since it was published.
 * `needsApproval`: publishing, restoring and removing schedules needs the permission `channels:manage`
 * (`SCHEDULE_APPROVAL=required`); without it the answer is 403 `approval_required`, and a draft is submitted instead.
 */
export const PublishedSchedule = Type.Object({
  version: Type.Integer({ minimum: 0 }),
  document: Nullable(ScheduleDocument),
  publishedAt: Nullable(Instant),
  publishedBy: Nullable(Uuid),
  problems: Type.Array(ScheduleProblem),
  needsApproval: Type.Boolean(),
})
export type PublishedSchedule = Static<typeof PublishedSchedule>

/** Who has submitted a draft for approval. `note`: empty without one. */
const DraftSubmission = Type.Object({
  submittedBy: Nullable(Uuid),
  submittedAt: Instant,
  note: Type.String(),
})
export type DraftSubmission = Static<typeof DraftSubmission>

/** Who has sent a submitted draft back. `reason`: empty without one. */
const DraftReturn = Type.Object({
  sentBackBy: Nullable(Uuid),
  sentBackAt: Instant,
  reason: Type.String(),
})
export type DraftReturn = Static<typeof DraftReturn>

/**
 * GET and PUT /api/channels/:id/schedule/draft. Without a draft, `document` is that of the published version, or null.
 * `basedOnVersion`: the published version that the draft was started from. The response has an `ETag`. PUT with it as
 * `If-Match` answers 412 `precondition_failed` with the current draft in `current` if another user has saved, or 400
 * `schedule_invalid` with `problems` for what is not a document. DELETE discards the draft. `submission`: null unless the
 * draft waits for approval; it ends when the draft is changed. `sentBack`: null unless a submission of the draft was sent
 * back and the draft has not been submitted since.
 */
export const ScheduleDraft = Type.Object({
  document: Nullable(ScheduleDraftDocument),
  basedOnVersion: Type.Integer({ minimum: 0 }),
  savedAt: Nullable(Instant),
  savedBy: Nullable(Uuid),
  submission: Nullable(DraftSubmission),
  sentBack: Nullable(DraftReturn),
})
export type ScheduleDraft = Static<typeof ScheduleDraft>

/**
 * POST /api/channels/:id/schedule/preview: what would be on the air in [from, to), with this document or with the saved
 * draft. At most 8 days, ending at most 5 years ahead. Changes nothing. `document` may have any content; its errors are
 * returned as `problems`.
 */
export const SchedulePreviewBody = Type.Object(
  { document: Type.Optional(Type.Unknown()), from: Instant, to: Instant },
  strict,
)
export type SchedulePreviewBody = Static<typeof SchedulePreviewBody>

/** The soft rules that can be relaxed. */
export const RelaxableRule = Type.Union([
  Type.Literal('maxAiringsPerDay'),
  Type.Literal('artistSeparationMinutes'),
  Type.Literal('videoSeparationHours'),
  Type.Literal('maxDurationMinutes'),
])
export type RelaxableRule = Static<typeof RelaxableRule>

/** The reason of a scheduled programme. `slot`: index in the clock. `number` of `count`: its place in a slot of several videos. */
export const ScheduleReason = Type.Object({
  blockId: Nullable(Type.String()),
  specialId: Nullable(Type.String()),
  slot: Nullable(Type.Integer({ minimum: 0 })),
  source: Nullable(Type.String()),
  number: Nullable(Type.Integer({ minimum: 1 })),
  count: Nullable(Type.Integer({ minimum: 1 })),
  relaxed: Type.Array(RelaxableRule),
})
export type ScheduleReason = Static<typeof ScheduleReason>

/** `ident` and `countdown` are cards that the web app draws. */
export const ProgrammeKind = Type.Union([
  Type.Literal('video'),
  Type.Literal('ident'),
  Type.Literal('countdown'),
])
export type ProgrammeKind = Static<typeof ProgrammeKind>

/** `cut`: the programme is cut short: it ends before its video does, because a hard start follows and nothing fitted. */
export const PreviewProgramme = Type.Object({
  startsAt: Instant,
  endsAt: Instant,
  kind: ProgrammeKind,
  ident: Nullable(IdentKind),
  videoId: Nullable(Uuid),
  title: Nullable(Type.String()),
  artistName: Nullable(Type.String()),
  cut: Type.Boolean(),
  reason: ScheduleReason,
})
export type PreviewProgramme = Static<typeof PreviewProgramme>

/** A soft rule that was relaxed for a programme; `detail` is a sentence for admins. */
export const ScheduleBreach = Type.Object({ rule: RelaxableRule, startsAt: Instant, detail: Type.String() })
export type ScheduleBreach = Static<typeof ScheduleBreach>

/**
 * With problems, no programmes are planned, unless all of them are blocks or specials that overlap: then the one that
 * starts later is on. `isExact` is false if `from` is so far ahead that what will have aired by then
 * is unknown: the programmes are then an example.
 */
export const SchedulePreview = Type.Object({
  programmes: Type.Array(PreviewProgramme),
  problems: Type.Array(ScheduleProblem),
  breaches: Type.Array(ScheduleBreach),
  isExact: Type.Boolean(),
})
export type SchedulePreview = Static<typeof SchedulePreview>

/**
 * PUT /api/channels/:id/schedule/draft/submission with the draft's `If-Match`: submits the draft for approval, or replaces
 * the note. Fails as a publication does.
 */
export const SubmitDraftBody = Type.Object({ note: Type.Optional(ScheduleNote) }, strict)

/**
 * DELETE /api/channels/:id/schedule/draft/submission: ends the submission; the draft is kept. The person who has submitted
 * it withdraws it; everyone else sends it back, with a reason, if given, that the draft then shows.
 */
export const EndSubmissionBody = Type.Object({ reason: Type.Optional(ScheduleNote) }, strict)

/**
 * POST /api/channels/:id/schedule/publish with the draft's `If-Match`: makes the draft the next version. 400
 * `schedule_invalid` with `problems`; 412 as for the draft. `changes`: number of programmes of the current timeline that
 * were replaced, from `changesFrom` on (null if nothing changed). Without `note`, the version has that of the submission.
 */
export const PublishBody = Type.Object({ note: Type.Optional(ScheduleNote) }, strict)
export const PublishResult = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  changesFrom: Nullable(Instant),
  changes: Type.Integer({ minimum: 0 }),
})
export type PublishResult = Static<typeof PublishResult>

/** DELETE /api/channels/:id/schedule: the channel repeats its playlist again. Versions and draft are kept. */
export const ScheduleRemoval = Type.Omit(PublishResult, ['version'])
export type ScheduleRemoval = Static<typeof ScheduleRemoval>

/**
 * POST /api/channels/:id/schedule/publish/preview with the draft's `If-Match`: what publishing the draft would change now.
 * Changes nothing. With `document`, of any content, this document is used instead of the draft, and `If-Match` is optional.
 * `before` and `after` list the first programmes that differ, at most 50 each.
 */
export const PublishPreviewBody = Type.Object({ document: Type.Optional(Type.Unknown()) }, strict)
export type PublishPreviewBody = Static<typeof PublishPreviewBody>
export const PublishPreview = Type.Object({
  changesFrom: Nullable(Instant),
  changes: Type.Integer({ minimum: 0 }),
  before: Type.Array(PreviewProgramme),
  after: Type.Array(PreviewProgramme),
  problems: Type.Array(ScheduleProblem),
})
export type PublishPreview = Static<typeof PublishPreview>

/**
 * GET /api/channels/:id/schedule/versions: published versions, newest first. `restoredFrom`: the version that was published
 * again. `note`: empty without one.
 */
export const ScheduleVersion = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  publishedAt: Instant,
  publishedBy: Nullable(Uuid),
  restoredFrom: Nullable(Type.Integer({ minimum: 1 })),
  note: Type.String(),
  isCurrent: Type.Boolean(),
})
export type ScheduleVersion = Static<typeof ScheduleVersion>
export const ScheduleVersionsQuery = PageQuery
export const ScheduleVersionPage = Page(ScheduleVersion)
export type ScheduleVersionPage = Static<typeof ScheduleVersionPage>

/**
 * GET /api/channels/:id/schedule/versions/:version: the document of a version. POST …/versions/:version/restore publishes
 * it again; the answer is a {@link PublishResult}.
 */
export const ScheduleVersionParams = Type.Object(
  { id: ChannelId, version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) },
  strict,
)
export const ScheduleVersionDocument = Type.Object({
  ...ScheduleVersion.properties,
  document: ScheduleDocument,
})
export type ScheduleVersionDocument = Static<typeof ScheduleVersionDocument>

/** POST /api/channels/:id/schedule/source: the videos of a source, of which the first ten are listed. */
export const SourcePreviewBody = Type.Object({ source: Source }, strict)
export type SourcePreviewBody = Static<typeof SourcePreviewBody>
export const SourcePreview = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  totalDurationMs: Type.Integer({ minimum: 0 }),
  items: Type.Array(
    Type.Object({
      videoId: Uuid,
      title: Type.String(),
      artistName: Type.String(),
      durationMs: Type.Integer({ minimum: 1 }),
    }),
    { maxItems: 10 },
  ),
})
export type SourcePreview = Static<typeof SourcePreview>
