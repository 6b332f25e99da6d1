import { type Static, Type } from 'typebox'
import { ChannelId, Instant, Nullable, Page, PageQuery, strict, Uuid, VideoCategory } from '../common.ts'
import { Video } from './videos.ts'

/** Most submissions that one request decides. */
export const MAX_DECISIONS_PER_REQUEST = 100

export const SubmissionState = Type.Union([
  Type.Literal('submitted'),
  Type.Literal('accepted'),
  Type.Literal('rejected'),
])
export type SubmissionState = Static<typeof SubmissionState>

/** A video that was added for review, for moderators. Its id is the video's. */
export const Submission = Type.Object({
  video: Video,
  state: SubmissionState,
  /** Who submitted it first; null when that account is gone. */
  submittedBy: Nullable(Uuid),
  /** How many people submitted it. */
  submitterCount: Type.Integer({ minimum: 0 }),
  submittedAt: Instant,
  decidedBy: Nullable(Uuid),
  decidedAt: Nullable(Instant),
  /** What the submitters are told about a rejection. */
  reason: Nullable(Type.String()),
})
export type Submission = Static<typeof Submission>

/** GET /api/submissions (moderator): oldest first while they wait, newest decision first afterwards. */
export const ListSubmissionsQuery = Type.Object(
  { ...PageQuery.properties, state: Type.Optional(SubmissionState) },
  strict,
)
/** `total` counts the whole list, up to 1,000. */
export const SubmissionPage = Type.Object({
  ...Page(Submission).properties,
  total: Type.Integer({ minimum: 0 }),
})
export type SubmissionPage = Static<typeof SubmissionPage>

const ids = Type.Array(Uuid, { minItems: 1, maxItems: MAX_DECISIONS_PER_REQUEST, uniqueItems: true })

/**
 * POST /api/submissions/accept (moderator): puts the videos into a category and, with `channelId`, at the end of that
 * channel's playlist. A rejected video can be accepted later.
 */
export const AcceptSubmissionsBody = Type.Object(
  { ids, category: VideoCategory, channelId: Type.Optional(ChannelId) },
  strict,
)
export type AcceptSubmissionsBody = Static<typeof AcceptSubmissionsBody>

/** POST /api/submissions/reject (moderator). The submitters see the reason. */
export const RejectSubmissionsBody = Type.Object(
  { ids, reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }) },
  strict,
)
export type RejectSubmissionsBody = Static<typeof RejectSubmissionsBody>

/** `decided`: those whose state changed. Videos that are gone or were decided alike before are left out. */
export const DecideSubmissionsResult = Type.Object({ decided: Type.Array(Uuid) })
export type DecideSubmissionsResult = Static<typeof DecideSubmissionsResult>
