import { type Static, Type } from 'typebox'
import { Cursor, Instant, Nullable, Page, RestrictionType, Role, strict, Uuid } from '../common.ts'
import { PersonalToken } from './personal-tokens.ts'
import { Profile } from './users.ts'

/**
 * The parts of a person's data export, each from the service that keeps it and for the caller only. The web app combines
 * them in one file. `src/db/tables.ts` of the services says which table is in which part.
 */

export const ExportQuery = Type.Object({ cursor: Type.Optional(Cursor) }, strict)

/** GET /api/export/account: what auth keeps, without secrets. */
export const AccountExport = Type.Object({
  id: Uuid,
  email: Nullable(Type.String()),
  newEmail: Nullable(Type.String()),
  emailConfirmedAt: Nullable(Instant),
  createdAt: Instant,
  lastSignInAt: Nullable(Instant),
  hasPassword: Type.Boolean(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  /** Free keys that the operator has set. */
  appMetadata: Type.Record(Type.String(), Type.Unknown()),
  profile: Profile,
  picture: Nullable(Type.Object({ contentType: Type.String(), base64: Type.String() })),
  role: Role,
  restrictions: Type.Array(
    Type.Object({
      restrictionType: RestrictionType,
      reason: Type.String(),
      createdAt: Instant,
      expiresAt: Nullable(Instant),
    }),
  ),
  sessions: Type.Array(
    Type.Object({
      createdAt: Instant,
      refreshedAt: Instant,
      method: Type.String(),
      /** How a paired TV names itself. */
      deviceName: Nullable(Type.String()),
      userAgent: Nullable(Type.String()),
      ip: Nullable(Type.String()),
    }),
  ),
  factors: Type.Array(Type.Object({ type: Type.String(), name: Type.String(), createdAt: Instant })),
  passkeys: Type.Array(
    Type.Object({ name: Type.String(), createdAt: Instant, lastUsedAt: Nullable(Instant) }),
  ),
  accessTokens: Type.Array(PersonalToken),
  /** Linked accounts at OpenID providers. */
  identities: Type.Array(
    Type.Object({
      provider: Type.String(),
      issuer: Type.String(),
      subject: Type.String(),
      email: Nullable(Type.String()),
      createdAt: Instant,
      lastSignInAt: Nullable(Instant),
    }),
  ),
  signIns: Type.Array(
    Type.Object({
      createdAt: Instant,
      method: Type.String(),
      succeeded: Type.Boolean(),
      device: Nullable(Type.String()),
      network: Nullable(Type.String()),
    }),
  ),
})
export type AccountExport = Static<typeof AccountExport>

const ExportedVideo = Type.Object({
  videoId: Uuid,
  title: Type.String(),
  artistName: Type.String(),
  url: Type.String(),
})

/** GET /api/export/playlists: with all entries, also playlists that were deleted and are still stored. */
export const PlaylistExportPage = Page(
  Type.Object({
    id: Uuid,
    name: Type.String(),
    description: Nullable(Type.String()),
    isPublic: Type.Boolean(),
    isDeleted: Type.Boolean(),
    createdAt: Instant,
    entries: Type.Array(ExportedVideo),
  }),
)
export type PlaylistExportPage = Static<typeof PlaylistExportPage>

/** GET /api/export/videos: videos that the caller added or submitted. */
export const VideoExportPage = Page(
  Type.Object({
    ...ExportedVideo.properties,
    /** When the caller submitted it; null for a video that was added without a review. */
    submittedAt: Nullable(Type.String()),
    /** Of the submission: `submitted`, `accepted` or `rejected`. */
    state: Nullable(Type.String()),
    reason: Nullable(Type.String()),
  }),
)
export type VideoExportPage = Static<typeof VideoExportPage>

/** GET /api/export/messages: the caller's chat messages, oldest first, also those that were removed. */
export const MessageExportPage = Page(
  Type.Object({
    id: Uuid,
    channelId: Type.String(),
    message: Type.String(),
    createdAt: Instant,
    removedAt: Nullable(Instant),
  }),
)
export type MessageExportPage = Static<typeof MessageExportPage>

/** GET /api/export/requests: the caller's requests, oldest first. */
export const RequestExportPage = Page(
  Type.Object({
    id: Uuid,
    channelId: Type.String(),
    videoId: Uuid,
    title: Type.String(),
    requestedAt: Instant,
    state: Type.String(),
    finishedAt: Nullable(Instant),
    reason: Nullable(Type.String()),
    plannedAt: Nullable(Instant),
    airedAt: Nullable(Instant),
  }),
)
export type RequestExportPage = Static<typeof RequestExportPage>

/**
 * GET /api/export/loads: what the station remembers of the caller on each channel to decide fairly. `vote` in 10⁻¹⁰
 * slots above an equal share, `turn` in ms (docs/fairness.md).
 */
export const RequestLoadExportPage = Page(
  Type.Object({
    channelId: Type.String(),
    currency: Type.Union([Type.Literal('turn'), Type.Literal('vote')]),
    load: Type.Integer(),
  }),
)
export type RequestLoadExportPage = Static<typeof RequestLoadExportPage>

/** GET /api/export/votes: the requests that the caller votes for. */
export const VoteExportPage = Page(
  Type.Object({ requestId: Uuid, channelId: Type.String(), title: Type.String(), votedAt: Instant }),
)
export type VoteExportPage = Static<typeof VoteExportPage>

/** GET /api/export/likes: the videos that the caller likes, also those that are not in the library at present. */
export const LikeExportPage = Page(Type.Object({ videoId: Uuid, likedAt: Instant }))
export type LikeExportPage = Static<typeof LikeExportPage>

/** GET /api/export/polls: the caller's votes in polls that are open, or were until a day ago. */
export const PollVoteExportPage = Page(
  Type.Object({
    pollId: Uuid,
    channelId: Type.String(),
    question: Type.String(),
    answer: Type.String(),
    votedAt: Instant,
  }),
)
export type PollVoteExportPage = Static<typeof PollVoteExportPage>

/** GET /api/export/reminders: the caller's reminders. */
export const ReminderExportPage = Page(
  Type.Object({
    id: Uuid,
    kind: Type.String(),
    channelId: Type.String(),
    title: Type.String(),
    minutesBefore: Type.Integer(),
    createdAt: Instant,
  }),
)
export type ReminderExportPage = Static<typeof ReminderExportPage>

/**
 * GET /api/export/reminder-devices: the browsers that receive the caller's reminders, each with the host of its push
 * service. The rest of the address and the keys are secrets of the browser.
 */
export const PushSubscriptionExportPage = Page(
  Type.Object({
    id: Uuid,
    deviceName: Nullable(Type.String()),
    pushService: Type.String(),
    createdAt: Instant,
    lastUsedAt: Nullable(Instant),
  }),
)
export type PushSubscriptionExportPage = Static<typeof PushSubscriptionExportPage>
