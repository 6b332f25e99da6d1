import { type Static, Type } from 'typebox'
import { ChannelId, EpochMs, Nullable, Page, PageQuery, strict, Uuid, YoutubeId } from '../common.ts'
import { IdentKind, RequestSlot } from '../schedule.ts'
import { Address, Line, Paragraph } from '../text-fields.ts'

/** idle: off the air ("Offline"); syncing: the timeline is being built; live: on the air ("Live 24/7"). */
export const StreamStatus = Type.Union([Type.Literal('idle'), Type.Literal('syncing'), Type.Literal('live')])
export type StreamStatus = Static<typeof StreamStatus>

/**
 * A channel. `logoUrl`: the path of a picture of this station. `takesRequests`: it plays requests of viewers, by its
 * schedule, or without one as every `requestEvery`-th programme. `requestSlots`: how these are chosen, missing if that is
 * not known.
 */
export const Channel = Type.Object({
  id: ChannelId,
  name: Type.String(),
  description: Nullable(Type.String()),
  position: Type.Integer(),
  isActive: Type.Boolean(),
  shuffleEnabled: Type.Boolean(),
  status: StreamStatus,
  logoUrl: Nullable(Type.String()),
  takesRequests: Type.Boolean(),
  requestEvery: Nullable(Type.Integer()),
  requestSlots: Type.Optional(Type.Array(RequestSlot)),
})
export type Channel = Static<typeof Channel>
export const ChannelPage = Page(Channel)

/**
 * The video of a programme. Exactly one of `youtubeId` and `mediaUrl` (mp4, webm, m3u8) is set. The programme starts at
 * `startAtMs` of the media; `duration` and `durationMs` are the length that is played, `mediaDurationMs` is that of the
 * whole media.
 */
export const ProgrammeVideo = Type.Object({
  id: Uuid,
  title: Type.String(),
  artistName: Type.String(),
  genre: Type.String(),
  description: Type.String(),
  duration: Type.String(),
  durationMs: Type.Integer({ minimum: 1 }),
  startAtMs: Type.Integer({ minimum: 0 }),
  mediaDurationMs: Type.Integer({ minimum: 1 }),
  thumbnailUrl: Nullable(Type.String()),
  youtubeId: Nullable(YoutubeId),
  mediaUrl: Nullable(Type.String()),
})
export type ProgrammeVideo = Static<typeof ProgrammeVideo>

/** The block or special of the schedule that a programme belongs to. `colour`: '#rrggbb'. */
export const ProgrammeBlock = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  colour: Nullable(Type.String()),
})
export type ProgrammeBlock = Static<typeof ProgrammeBlock>

/** A special of the schedule that is announced in the guide, up to {@link SPECIALS_AHEAD_MS} ahead. */
export const GuideSpecial = Type.Object({
  ...ProgrammeBlock.properties,
  startsAtMs: EpochMs,
  endsAtMs: EpochMs,
})
export type GuideSpecial = Static<typeof GuideSpecial>
/** Time ahead for which specials are announced, in ms. */
export const SPECIALS_AHEAD_MS = 14 * 86_400_000

/** The past programme that is aired again: it was on a channel in [startedAtMs, endedAtMs). */
export const AiredBefore = Type.Object({ channelId: ChannelId, startedAtMs: EpochMs, endedAtMs: EpochMs })
export type AiredBefore = Static<typeof AiredBefore>

/**
 * The source of a scheduled video, and its place in a slot of several videos ("third of three from gold"). `requestId`: the
 * viewer's request that it is; missing if it is none. `again`: the programme of a past evening that it airs again.
 */
export const ProgrammeReason = Type.Object({
  source: Type.String(),
  number: Nullable(Type.Integer({ minimum: 1 })),
  count: Nullable(Type.Integer({ minimum: 1 })),
  requestId: Type.Optional(Uuid),
  again: Type.Optional(AiredBefore),
})
export type ProgrammeReason = Static<typeof ProgrammeReason>

const placement = {
  id: Type.String(),
  channelId: ChannelId,
  seq: Type.Integer(),
  startsAtMs: EpochMs,
  endsAtMs: EpochMs,
  /** Null outside blocks, and without a schedule. */
  block: Nullable(ProgrammeBlock),
}

/**
 * A video on the air. `reason`: null without a schedule, unless it is a request. `isLive`: the video is a live stream, which is
 * played at its live edge by the date and time in its playlist (EXT-X-PROGRAM-DATE-TIME), not from `startAtMs`.
 */
export const VideoProgramme = Type.Object({
  ...placement,
  kind: Type.Literal('video'),
  videoId: Uuid,
  video: ProgrammeVideo,
  reason: Nullable(ProgrammeReason),
  isLive: Type.Optional(Type.Literal(true)),
})
export type VideoProgramme = Static<typeof VideoProgramme>

/**
 * A card that the web app draws: an ident of the schedule, or a countdown to a hard start. `ident` is null for the latter.
 * `previous`: the video before an ident of the kind `previous`, if it is known.
 */
export const CardProgramme = Type.Object({
  ...placement,
  kind: Type.Union([Type.Literal('ident'), Type.Literal('countdown')]),
  ident: Nullable(IdentKind),
  previous: Nullable(ProgrammeVideo),
  videoId: Type.Null(),
  video: Type.Null(),
})
export type CardProgramme = Static<typeof CardProgramme>

/** One programme of the timeline, on the air in [startsAtMs, endsAtMs). `seq` increases by one per channel. */
export const Programme = Type.Union([VideoProgramme, CardProgramme])
export type Programme = Static<typeof Programme>

/**
 * GET /api/channels/:id/now. `programmes` starts with the current one and covers two hours; empty if the channel is idle.
 * `timelineVersion` increases with every change of the timeline.
 */
export const NowState = Type.Object({
  channelId: ChannelId,
  status: StreamStatus,
  timelineVersion: Type.Integer(),
  serverNowMs: EpochMs,
  programmes: Type.Array(Programme),
})
export type NowState = Static<typeof NowState>

export const ChannelParams = Type.Object({ id: ChannelId }, strict)

/** GET /api/channels/:id/guide: programmes that overlap [fromMs, fromMs + hours), and the specials of the next 14 days. */
export const GuideQuery = Type.Object(
  {
    fromMs: Type.Optional(EpochMs),
    hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 26, default: 24 })),
  },
  strict,
)
export const Guide = Type.Object({
  channelId: ChannelId,
  timelineVersion: Type.Integer(),
  serverNowMs: EpochMs,
  programmes: Type.Array(Programme),
  specials: Type.Array(GuideSpecial),
})
export type Guide = Static<typeof Guide>

/**
 * GET /api/channels/:id/air-log: programmes that were on the air and overlap (afterMs, beforeMs), newest first; with
 * `order=oldest`, oldest first from afterMs on.
 */
export const AirLogQuery = Type.Object(
  {
    ...PageQuery.properties,
    beforeMs: Type.Optional(EpochMs),
    afterMs: Type.Optional(EpochMs),
    order: Type.Optional(Type.Union([Type.Literal('newest'), Type.Literal('oldest')], { default: 'newest' })),
  },
  strict,
)
/**
 * Texts are those of the time of broadcast. `isListed`: the video is still in the public library. `reason`: null without a
 * schedule; missing in answers of the previous release.
 */
export const AirLogEntry = Type.Object({
  id: Type.String(),
  channelId: ChannelId,
  videoId: Uuid,
  title: Type.String(),
  artistName: Type.String(),
  startedAtMs: EpochMs,
  endedAtMs: EpochMs,
  thumbnailUrl: Nullable(Type.String()),
  isListed: Type.Boolean(),
  reason: Type.Optional(Nullable(ProgrammeReason)),
})
export type AirLogEntry = Static<typeof AirLogEntry>
export const AirLogPage = Page(AirLogEntry)

/** POST /api/channels/:id/stream (admin). `reset` rebuilds the whole timeline and is a guarded action. */
export const StreamActionBody = Type.Object(
  { action: Type.Union([Type.Literal('start'), Type.Literal('stop'), Type.Literal('reset')]) },
  strict,
)
export const StreamActionResult = Type.Object({
  success: Type.Boolean(),
  status: StreamStatus,
  videosCount: Type.Integer({ minimum: 0 }),
  timelineVersion: Type.Integer(),
})
export type StreamActionResult = Static<typeof StreamActionResult>

/** Limits of `requestEvery`: something of the playlist plays between two requests. */
export const MIN_REQUEST_EVERY = 2
export const MAX_REQUEST_EVERY = 100

/** The URL of a picture that was uploaded with `keep` (POST /api/theme/assets). Other sites would see who watches. */
const LogoUrl = Nullable(Address({ pattern: '^/api/theme/assets/[A-Za-z0-9_-]{22}$' }))

export const CreateChannelBody = Type.Object(
  {
    name: Line({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    description: Type.Optional(Nullable(Paragraph({ maxLength: 1000 }))),
    position: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    logoUrl: Type.Optional(LogoUrl),
    /** Copies this channel's shuffle setting and playlist, and its description if none is given. */
    copyOf: Type.Optional(ChannelId),
  },
  strict,
)
export type CreateChannelBody = Static<typeof CreateChannelBody>
/** `requestEvery`: without a schedule, every n-th programme is a request of viewers; null: none is. */
export const UpdateChannelBody = Type.Object(
  {
    name: Type.Optional(Line({ minLength: 1, maxLength: 100, pattern: '\\S' })),
    description: Type.Optional(Nullable(Paragraph({ maxLength: 1000 }))),
    isActive: Type.Optional(Type.Boolean()),
    shuffleEnabled: Type.Optional(Type.Boolean()),
    position: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    logoUrl: Type.Optional(LogoUrl),
    requestEvery: Type.Optional(
      Nullable(Type.Integer({ minimum: MIN_REQUEST_EVERY, maximum: MAX_REQUEST_EVERY })),
    ),
  },
  { ...strict, minProperties: 1 },
)
export type UpdateChannelBody = Static<typeof UpdateChannelBody>
