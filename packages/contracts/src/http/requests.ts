import { type Static, Type } from 'typebox'
import { ChannelId, Instant, Nullable, Page, PageQuery, RestrictionType, strict, Uuid } from '../common.ts'
import { Line } from '../text-fields.ts'

// Requests of viewers for videos, and votes for them. The rules are in docs/audience.md.

/** Requests that an account may have waiting, on all channels together. */
export const MAX_WAITING_REQUESTS = 3
/** Videos and artists that can be excluded from the requests of a channel. */
export const MAX_REQUEST_EXCLUSIONS = 500

/** `planned`: it is waiting and has a place in the timeline. */
export const RequestState = Type.Union([
  Type.Literal('waiting'),
  Type.Literal('planned'),
  Type.Literal('aired'),
  Type.Literal('refused'),
  Type.Literal('withdrawn'),
])
export type RequestState = Static<typeof RequestState>

/** A video that can be requested. `durationMs` is the length that is played. */
export const RequestedVideo = Type.Object({
  id: Uuid,
  title: Type.String(),
  artistName: Type.String(),
  thumbnailUrl: Nullable(Type.String()),
  durationMs: Type.Integer({ minimum: 1 }),
})
export type RequestedVideo = Static<typeof RequestedVideo>

/** A rule of the channel that forbids a video, and when it allows it again; null if it is not known. */
const ForbiddingRule = Type.Object({ rule: Type.String(), until: Nullable(Instant) })

/**
 * A request. `votes` counts at most five accounts of one network. `requestedBy` is null if the account was deleted or does not
 * show its name to others, and
 * `hasVoted` false for visitors. `expectedAt`: when it is planned; `blockedBy`: why it is passed over at present.
 */
export const ViewerRequest = Type.Object({
  id: Uuid,
  video: RequestedVideo,
  requestedBy: Nullable(Type.Object({ userId: Uuid, handle: Nullable(Type.String()) })),
  requestedAt: Instant,
  votes: Type.Integer({ minimum: 0 }),
  hasVoted: Type.Boolean(),
  state: RequestState,
  isPinned: Type.Boolean(),
  expectedAt: Nullable(Instant),
  blockedBy: Nullable(ForbiddingRule),
})
export type ViewerRequest = Static<typeof ViewerRequest>

/**
 * A request of the caller, in any state. `endedAt`: when it was refused, withdrawn or aired; `isByStaff`: staff refused or
 * withdrew it. `reason` of a refusal, by staff or by the station. `movedFrom`: when it was planned before it moved.
 */
export const OwnRequest = Type.Object({
  ...ViewerRequest.properties,
  channelId: ChannelId,
  endedAt: Nullable(Instant),
  isByStaff: Type.Boolean(),
  reason: Nullable(Type.String()),
  movedFrom: Nullable(Instant),
})
export type OwnRequest = Static<typeof OwnRequest>

/** GET /api/me/requests: newest first. */
export const OwnRequestPage = Page(OwnRequest)
export type OwnRequestPage = Static<typeof OwnRequestPage>

/** GET and PATCH /api/me/requests/settings. `showsName`: others see who has made the caller's requests. */
export const OwnRequestSettings = Type.Object({ showsName: Type.Boolean() }, strict)
export type OwnRequestSettings = Static<typeof OwnRequestSettings>

/**
 * GET /api/channels/:id/requests: those that wait, or those of one video: planned ones by their times, then pinned ones, then
 * in the order in which they would be aired.
 */
export const RequestPage = Page(ViewerRequest)
export type RequestPage = Static<typeof RequestPage>
export const ListRequestsQuery = Type.Object(
  { ...PageQuery.properties, videoId: Type.Optional(Uuid) },
  strict,
)

export const RequestChannelParams = Type.Object({ id: ChannelId }, strict)
export const RequestParams = Type.Object({ requestId: Uuid }, strict)

/**
 * POST /api/channels/:id/requests. 409 `request_not_possible` with `rule` and `until`, 409 `request_limit`, 403
 * `requests_closed`, 403 `account_too_new` with `until`.
 */
export const CreateRequestBody = Type.Object({ videoId: Uuid }, strict)

/** PUT and DELETE /api/requests/:requestId/vote. 403 `not_watching` with `missingMs`. */
export const VoteResult = Type.Object({ votes: Type.Integer({ minimum: 0 }), hasVoted: Type.Boolean() })
export type VoteResult = Static<typeof VoteResult>

/** POST /api/requests/:requestId/refuse: the requester is told the reason. */
export const RefuseRequestBody = Type.Object({ reason: Line({ minLength: 1, maxLength: 200 }) }, strict)

/** GET and PATCH /api/channels/:id/requests/settings. */
export const RequestSettings = Type.Object({ isOpen: Type.Boolean() }, strict)
export type RequestSettings = Static<typeof RequestSettings>

/** A video or an artist that cannot be requested on a channel: exactly one of both is set. */
export const RequestExclusion = Type.Object({
  id: Uuid,
  videoId: Nullable(Uuid),
  artistName: Nullable(Type.String()),
  createdAt: Instant,
})
export type RequestExclusion = Static<typeof RequestExclusion>
export const RequestExclusionList = Type.Object({ items: Type.Array(RequestExclusion) })

/**
 * GET /api/requests/:requestId/receipt: all that a decision depended on, and its result. Anybody can decide again from it
 * (docs/fairness.md). `isConsistent`: the loads before are those that earlier airings have left.
 */
export const RequestReceipt = Type.Object({
  currency: Type.Union([Type.Literal('turn'), Type.Literal('vote')]),
  decidedAt: Instant,
  isConsistent: Type.Boolean(),
  requests: Type.Array(
    Type.Object({
      id: Uuid,
      requestedAtMs: Type.Integer(),
      durationMs: Type.Integer({ minimum: 1 }),
    }),
  ),
  ballots: Type.Array(Type.Object({ voter: Type.String(), approved: Type.Array(Uuid) })),
  loadsBefore: Type.Array(Type.Integer()),
  loadsAfter: Type.Array(Type.Integer()),
  passedOver: Type.Array(Type.Object({ request: Uuid, rule: Type.String() })),
  winner: Uuid,
  order: Type.Array(Uuid),
  digest: Type.String(),
})
export type RequestReceipt = Static<typeof RequestReceipt>

/**
 * GET /api/channels/:id/requests/aired/:programmeId: the request that a programme was; null for one that was none, or has not
 * started. `currency`: null if staff had pinned it. `hasReceipt`: its decision can be checked. `passedOver`: the requests that
 * came before it and that a rule forbade; `video` is null if the request is not stored any more.
 */
export const AiredRequestAnswer = Type.Object({
  request: Nullable(
    Type.Object({
      ...Type.Pick(ViewerRequest, ['id', 'requestedBy', 'requestedAt']).properties,
      currency: Nullable(Type.Union([Type.Literal('turn'), Type.Literal('vote')])),
      hasReceipt: Type.Boolean(),
      passedOver: Type.Array(
        Type.Object({
          rule: Type.String(),
          video: Nullable(Type.Pick(RequestedVideo, ['title', 'artistName'])),
        }),
      ),
    }),
  ),
})
export type AiredRequestAnswer = Static<typeof AiredRequestAnswer>

/** GET /api/channels/:id/requests/aired: requests that started in [from, to), the oldest one first. */
export const AiredRequestsQuery = Type.Object({ ...PageQuery.properties, from: Instant, to: Instant }, strict)
/**
 * A request that was on the air. `currency`: null if staff had pinned it. `digest`: that of its receipt; null if it has none,
 * as a pinned one.
 */
const AiredRequestSummary = Type.Object({
  id: Uuid,
  programmeId: Type.String(),
  startedAt: Instant,
  video: Type.Pick(RequestedVideo, ['title', 'artistName']),
  currency: Nullable(Type.Union([Type.Literal('turn'), Type.Literal('vote')])),
  digest: Nullable(Type.String()),
})
export type AiredRequestSummary = Static<typeof AiredRequestSummary>
export const AiredRequestPage = Page(AiredRequestSummary)
export type AiredRequestPage = Static<typeof AiredRequestPage>

/** POST /api/channels/:id/requests/exclusions. Artists are compared without case. */
export const AddRequestExclusionBody = Type.Union([
  Type.Object({ videoId: Uuid }, strict),
  Type.Object({ artistName: Line({ minLength: 1, maxLength: 200 }) }, strict),
])
export type AddRequestExclusionBody = Static<typeof AddRequestExclusionBody>
export const RequestExclusionParams = Type.Object({ id: ChannelId, exclusionId: Uuid }, strict)

/**
 * POST /api/channels/:id/watching: a player that is in sync says so, once a minute. `watchedMs`: time watched in the last
 * day, of which `neededMs` are needed for a vote. `nextAfterMs`: when the next report is useful.
 */
export const WatchReport = Type.Object({
  watchedMs: Type.Integer({ minimum: 0 }),
  neededMs: Type.Integer({ minimum: 0 }),
  nextAfterMs: Type.Integer({ minimum: 1 }),
})
export type WatchReport = Static<typeof WatchReport>

/** GET /internal/channels/:id/request-check. */
export const RequestCheckQuery = Type.Object({ videoId: Uuid }, strict)
/**
 * Whether the scheduler would air a video on a channel now. `isOpen`: its schedule has slots for requests. `video` is null
 * if the channel cannot play it. `forbidden`: the hard rule that forbids it now. `isActive`: everyone sees the channel.
 * `airingId`: the programme that is on the air; the previous release does not say it.
 */
export const RequestCheck = Type.Object({
  isActive: Type.Boolean(),
  isOpen: Type.Boolean(),
  video: Nullable(RequestedVideo),
  forbidden: Nullable(ForbiddingRule),
  airingId: Type.Optional(Nullable(Type.String())),
})
export type RequestCheck = Static<typeof RequestCheck>

const RestrictionInForce = Type.Object({ restrictionId: Uuid, expiresAt: Nullable(Instant) })

/** GET /internal/accounts/:id: what audience needs of an account whose events are gone. */
export const AccountSummary = Type.Object({
  userId: Uuid,
  handle: Nullable(Type.String()),
  createdAt: Instant,
  /** Restrictions of type `restricted` in force. */
  restrictions: Type.Array(RestrictionInForce),
  /** Bans in force, from the chat or the site. The previous release does not say them. */
  bans: Type.Optional(
    Type.Array(Type.Object({ ...RestrictionInForce.properties, restrictionType: RestrictionType })),
  ),
})
export type AccountSummary = Static<typeof AccountSummary>
