import { type Static, Type } from 'typebox'
import { ChannelId, Instant, Nullable, Page, PageQuery, strict, Uuid, VideoCategory } from '../common.ts'
import { Paragraph } from '../text-fields.ts'
import { Video } from './videos.ts'

/** Maximum submissions decided by one request. */
export const MAX_DECISIONS_PER_REQUEST = 100

export const SubmissionState = Type.Union([
  Type.Literal('submitted'),
  Type.Literal('accepted'),
  Type.Literal('rejected'),
])
export type SubmissionState = Static<typeof SubmissionState>

/** A video under review, as moderators see it. Its id is the video's. */
export const Submission = Type.Object({
  video: Video,
  state: SubmissionState,
  /** The first submitter; null if that account was deleted, or the video is from a followed list. */
  submittedBy: Nullable(Uuid),
  /** Number of users who submitted it. */
  submitterCount: Type.Integer({ minimum: 0 }),
  /** The title of the followed list that contains it; null if only users submitted it. */
  followedList: Nullable(Type.String()),
  submittedAt: Instant,
  decidedBy: Nullable(Uuid),
  decidedAt: Nullable(Instant),
  /** The reason of a rejection, shown to the submitters. */
  reason: Nullable(Type.String()),
})
export type Submission = Static<typeof Submission>

/** GET /api/submissions (moderator): pending ones oldest first, decided ones by newest decision first. */
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

/** GET /api/submissions/own: latest first. */
export const ListOwnSubmissionsQuery = Type.Object(PageQuery.properties, strict)

/** A video that the requester submitted. `submittedAt` is when the requester did. */
export const OwnSubmission = Type.Object({
  video: Video,
  state: SubmissionState,
  submittedAt: Instant,
  decidedAt: Nullable(Instant),
  /** The reason of a rejection. */
  reason: Nullable(Type.String()),
})
export type OwnSubmission = Static<typeof OwnSubmission>
export const OwnSubmissionPage = Page(OwnSubmission)

const ids = Type.Array(Uuid, { minItems: 1, maxItems: MAX_DECISIONS_PER_REQUEST, uniqueItems: true })

/**
 * POST /api/submissions/accept (moderator): puts the videos into a category and, with `channelId`, at the end of that
 * channel's playlist. A rejected video can be accepted later. `state`: in which the moderator saw the videos; those that
 * somebody else decided since stay as they are. Without it, the state when the request arrives.
 */
export const AcceptSubmissionsBody = Type.Object(
  {
    ids,
    category: VideoCategory,
    channelId: Type.Optional(ChannelId),
    state: Type.Optional(Type.Union([Type.Literal('submitted'), Type.Literal('rejected')])),
  },
  strict,
)
export type AcceptSubmissionsBody = Static<typeof AcceptSubmissionsBody>

/** POST /api/submissions/reject (moderator). The submitters see the reason. */
export const RejectSubmissionsBody = Type.Object(
  { ids, reason: Paragraph({ minLength: 1, maxLength: 500, pattern: '\\S' }) },
  strict,
)
export type RejectSubmissionsBody = Static<typeof RejectSubmissionsBody>

/** `decided`: videos whose state changed. Deleted videos and repeated decisions are omitted. */
export const DecideSubmissionsResult = Type.Object({ decided: Type.Array(Uuid) })
export type DecideSubmissionsResult = Static<typeof DecideSubmissionsResult>
