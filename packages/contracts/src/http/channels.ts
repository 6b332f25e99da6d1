import { type Static, Type } from 'typebox'
import {
  ChannelId,
  Cursor,
  EpochMs,
  Instant,
  Nullable,
  Page,
  PageQuery,
  strict,
  Uuid,
  YoutubeId,
} from '../common.ts'

/** idle: off the air ("Offline"); syncing: the timeline is being built; live: on the air ("Live 24/7"). */
export const StreamStatus = Type.Union([Type.Literal('idle'), Type.Literal('syncing'), Type.Literal('live')])
export type StreamStatus = Static<typeof StreamStatus>

export const Channel = Type.Object({
  id: ChannelId,
  name: Type.String(),
  description: Nullable(Type.String()),
  position: Type.Integer(),
  isActive: Type.Boolean(),
  shuffleEnabled: Type.Boolean(),
  status: StreamStatus,
})
export type Channel = Static<typeof Channel>
export const ChannelPage = Page(Channel)

/** What a programme shows. Exactly one of `youtubeId` and `mediaUrl` (mp4, webm, m3u8) plays it. */
export const ProgrammeVideo = Type.Object({
  id: Uuid,
  title: Type.String(),
  artistName: Type.String(),
  genre: Type.String(),
  description: Type.String(),
  duration: Type.String(),
  durationMs: Type.Integer({ minimum: 1 }),
  thumbnailUrl: Nullable(Type.String()),
  youtubeId: Nullable(YoutubeId),
  mediaUrl: Nullable(Type.String()),
})
export type ProgrammeVideo = Static<typeof ProgrammeVideo>

/** One row of the timeline: on the air in [startsAtMs, endsAtMs). `seq` grows by one along a channel. */
export const Programme = Type.Object({
  id: Type.String(),
  channelId: ChannelId,
  seq: Type.Integer(),
  videoId: Uuid,
  startsAtMs: EpochMs,
  endsAtMs: EpochMs,
  video: ProgrammeVideo,
})
export type Programme = Static<typeof Programme>

/**
 * GET /api/channels/:id/now. `programmes` begins with the one on the air and reaches two hours
 * ahead; empty when the channel is idle. `timelineVersion` grows with every change of the future.
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

/** GET /api/channels/:id/guide: programmes that overlap [fromMs, fromMs + hours). */
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
})
export type Guide = Static<typeof Guide>

/**
 * GET /api/channels/:id/air-log: what really was on and overlapped (afterMs, beforeMs); newest first, or with
 * `order=oldest` from afterMs on.
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
/** Texts are those of the hour. `isListed`: the video still is in the public library, to be played and kept. */
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
})
export type AirLogEntry = Static<typeof AirLogEntry>
export const AirLogPage = Page(AirLogEntry)

/** POST /api/channels/:id/stream (admin). `reset` builds the whole timeline anew and is guarded. */
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

export const CreateChannelBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    description: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
    position: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    /** The channel whose shuffle setting and playlist the new one starts with, and whose description without its own. */
    copyOf: Type.Optional(ChannelId),
  },
  strict,
)
export type CreateChannelBody = Static<typeof CreateChannelBody>
export const UpdateChannelBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })),
    description: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
    isActive: Type.Optional(Type.Boolean()),
    shuffleEnabled: Type.Optional(Type.Boolean()),
    position: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  },
  { ...strict, minProperties: 1 },
)
export type UpdateChannelBody = Static<typeof UpdateChannelBody>

/** A row of a channel's playlist. `position` counts from 0. */
export const ChannelPlaylistItem = Type.Object({
  id: Uuid,
  videoId: Uuid,
  position: Type.Integer({ minimum: 0 }),
  video: Nullable(ProgrammeVideo),
})
export type ChannelPlaylistItem = Static<typeof ChannelPlaylistItem>
export const ChannelPlaylistPage = Page(ChannelPlaylistItem)
export type ChannelPlaylistPage = Static<typeof ChannelPlaylistPage>
/**
 * GET /api/channels/:id/playlist and GET /api/live-playlist: up to 1,000 rows a page, since the editor needs the whole
 * playlist (up to {@link MAX_PLAYLIST_ITEMS}) before it shows a row.
 */
export const ChannelPlaylistQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
    cursor: Type.Optional(Cursor),
  },
  strict,
)
/** POST /api/channels/:id/playlist: behind the last one or, with `position` (from 0), before what is there now. */
export const AddChannelVideosBody = Type.Object(
  {
    videoIds: Type.Array(Uuid, { minItems: 1, maxItems: 500 }),
    position: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  },
  strict,
)
/** What was added, in the order asked for. */
export const AddChannelVideosResult = Type.Object({ items: Type.Array(ChannelPlaylistItem) })
export type AddChannelVideosResult = Static<typeof AddChannelVideosResult>
/** Most videos one channel's playlist holds. */
export const MAX_PLAYLIST_ITEMS = 10_000
/** PUT /api/channels/:id/playlist/order: all item ids of the playlist in their new order; 409 when others were added or removed meanwhile. */
export const ChannelOrderBody = Type.Object(
  { itemIds: Type.Array(Uuid, { minItems: 1, maxItems: 10_000, uniqueItems: true }) },
  strict,
)
/** Most videos that one {@link SavePlaylistBody} adds. */
export const MAX_ADDED_ITEMS = 2_000
/**
 * PUT /api/channels/:id/playlist: the whole playlist as it shall be. `itemIds` names all items in their order; an item
 * of the current playlist that is missing is removed. `added` says which video each new item shows, under an id that
 * the client chooses, so that a repeated request adds nothing twice. 409 when an item is in neither.
 */
export const SavePlaylistBody = Type.Object(
  {
    itemIds: Type.Array(Uuid, { maxItems: MAX_PLAYLIST_ITEMS, uniqueItems: true }),
    added: Type.Optional(
      Type.Array(Type.Object({ itemId: Uuid, videoId: Uuid }, strict), { maxItems: MAX_ADDED_ITEMS }),
    ),
  },
  strict,
)
export type SavePlaylistBody = Static<typeof SavePlaylistBody>
/** How many items a save added, removed and moved. */
export const SavePlaylistResult = Type.Object({
  added: Type.Integer({ minimum: 0 }),
  removed: Type.Integer({ minimum: 0 }),
  moved: Type.Integer({ minimum: 0 }),
})
export type SavePlaylistResult = Static<typeof SavePlaylistResult>
export const ChannelItemParams = Type.Object({ id: ChannelId, itemId: Uuid }, strict)

/** DELETE /api/channels/:id/playlist: these items at once; those that are gone already do not matter. */
export const RemoveChannelItemsBody = Type.Object(
  { itemIds: Type.Array(Uuid, { minItems: 1, maxItems: MAX_PLAYLIST_ITEMS, uniqueItems: true }) },
  strict,
)
/** DELETE /api/live-playlist and DELETE /api/channels/:id/playlist: how many rows were removed. */
export const RemoveItemsResult = Type.Object({ removed: Type.Integer({ minimum: 0 }) })

/** POST /api/channels/:id/reports: a viewer's player could not play, or learnt the true duration (one of the two). */
export const PlaybackReportBody = Type.Object(
  {
    videoId: Uuid,
    errorCode: Type.Optional(Type.Integer()),
    durationMs: Type.Optional(Type.Integer({ minimum: 1000, maximum: 86_400_000 })),
  },
  strict,
)
/** `accepted` is false when the report cannot count: the video was not on the air, or the fault is the viewer's own. */
export const PlaybackReportResult = Type.Object({ accepted: Type.Boolean() })

/**
 * GET /api/channels/quarantine (admin): videos that viewers' players could not play, newest first. `reports` counts the
 * viewers who said so within the last week, `lastReportedAt` is when the last of them did.
 */
export const QuarantinedVideo = Type.Object({
  videoId: Uuid,
  channelId: Nullable(Type.String()),
  reason: Type.String(),
  quarantinedAt: Instant,
  reports: Type.Integer({ minimum: 0 }),
  lastReportedAt: Nullable(Instant),
  video: ProgrammeVideo,
})
export type QuarantinedVideo = Static<typeof QuarantinedVideo>
export const QuarantinePage = Page(QuarantinedVideo)
export type QuarantinePage = Static<typeof QuarantinePage>
/** DELETE /api/channels/quarantine/:videoId (admin): lets a video back on the air. */
export const QuarantineParams = Type.Object({ videoId: Uuid }, strict)
/**
 * POST /api/channels/quarantine/:videoId/replacement (admin): another video takes its place in every channel's
 * playlist; how many places those are.
 */
export const ReplaceVideoBody = Type.Object({ replacementId: Uuid }, strict)
export const ReplaceVideoResult = Type.Object({ count: Type.Integer({ minimum: 0 }) })
export type ReplaceVideoResult = Static<typeof ReplaceVideoResult>
export { Cursor }

/** GET /api/live-playlist/readiness (admin): which of these videos have arrived and can be put on a channel. */
export const VideoReadiness = Type.Object({ readyIds: Type.Array(Uuid) })
export type VideoReadiness = Static<typeof VideoReadiness>
