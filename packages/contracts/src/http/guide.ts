import { type Static, Type } from 'typebox'
import { ChannelId, Cursor, EpochMs, Nullable, Page, strict, Uuid } from '../common.ts'
import { Channel, GuideSpecial, ProgrammeBlock, ProgrammeVideo, StreamStatus } from './channels.ts'

/** Time zone offsets are multiples of this, so it divides every viewer's hours, in ms. */
export const GUIDE_STEP_MS = 900_000

/**
 * GET /api/guide: the window [fromMs, fromMs + hours) of all active channels; without `fromMs`, from the current hour
 * (UTC). One row per channel; pages are pages of channels.
 */
export const StationGuideQuery = Type.Object(
  {
    fromMs: Type.Optional(Type.Integer({ minimum: 0, multipleOf: GUIDE_STEP_MS })),
    hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 24, default: 24 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: Type.Optional(Cursor),
  },
  strict,
)

/** A programme without ids and details. The channel's own guide has them. */
export const GuideTrack = Type.Object({
  title: Type.String(),
  artistName: Type.String(),
  startsAtMs: EpochMs,
  endsAtMs: EpochMs,
})
export type GuideTrack = Static<typeof GuideTrack>

/**
 * Consecutive programmes of a block or special of the schedule (`block`); outside of them, those that start within the same
 * hour, or one long programme. `id` identifies the position in the guide and does not change with edits. `artists`: the
 * first of `artistCount` distinct artists. `title`: set if the block has only one video. Cards are no tracks, so a block
 * may have none; nor have the blocks of the schedule after the end of the timeline, whose tracks are not planned yet.
 */
export const GuideBlock = Type.Object({
  id: Type.String(),
  startsAtMs: EpochMs,
  endsAtMs: EpochMs,
  trackCount: Type.Integer({ minimum: 0 }),
  artists: Type.Array(Type.String(), { maxItems: 3 }),
  artistCount: Type.Integer({ minimum: 0 }),
  title: Nullable(Type.String()),
  block: Nullable(ProgrammeBlock),
})
export type GuideBlock = Static<typeof GuideBlock>

/**
 * A channel's row. `nowAndNext`: videos of the next ten minutes; `endsAtMs`: end of the timeline; `specials`: those of the
 * next 14 days that have not ended.
 */
export const GuideRow = Type.Object({
  channelId: ChannelId,
  name: Channel.properties.name,
  description: Channel.properties.description,
  status: StreamStatus,
  timelineVersion: Type.Integer(),
  endsAtMs: Nullable(EpochMs),
  nowAndNext: Type.Array(GuideTrack),
  blocks: Type.Array(GuideBlock),
  specials: Type.Array(GuideSpecial),
})
export type GuideRow = Static<typeof GuideRow>

export const StationGuide = Type.Object({
  fromMs: EpochMs,
  toMs: EpochMs,
  ...Page(GuideRow).properties,
})
export type StationGuide = Static<typeof StationGuide>

/** A programme of a channel's timeline that has not ended, with what reminders need of it. Cards have no video. */
const AnnouncedProgramme = Type.Object({
  id: Type.String(),
  videoId: Nullable(Uuid),
  title: Type.String(),
  artistName: Type.String(),
  startsAtMs: EpochMs,
  endsAtMs: EpochMs,
  /** The block or special of the schedule. */
  blockId: Nullable(Type.String()),
  blockName: Nullable(Type.String()),
})

/**
 * GET /internal/channels/:id/announced: what the guide of a channel announces. `timelineVersion`: as in the guide.
 * `laterBlocks`: blocks of the schedule after the end of the timeline, each once. `specials`: those of the next 14 days that
 * have not ended.
 */
export const Announced = Type.Object({
  channelId: ChannelId,
  name: Type.String(),
  isActive: Type.Boolean(),
  timelineVersion: Type.Integer(),
  programmes: Type.Array(AnnouncedProgramme),
  laterBlocks: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  specials: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), startsAtMs: EpochMs, endsAtMs: EpochMs }),
  ),
})
export type Announced = Static<typeof Announced>

/** The paths of the guide for other programs, as the web app offers them: all channels as XMLTV, and a channel as iCalendar. */
export const FEED_PATHS = {
  xmltv: '/api/guide.xml',
  calendar: (channelId: string): string => `/api/channels/${encodeURIComponent(channelId)}/guide.ics`,
} as const

/** Maximum substitutes of a programme. */
export const MAX_SUBSTITUTES = 3

/**
 * GET /api/channels/:id/programmes/:programmeId/substitutes: videos for viewers in whose region the video of a programme
 * does not play, the best one first. They come from the programme's source and are of similar length. Empty for a
 * takeover, and if the source has no other video. `not_found` unless the programme is on the air or near it.
 */
export const SubstituteList = Type.Object({
  substitutes: Type.Array(ProgrammeVideo, { maxItems: MAX_SUBSTITUTES }),
})
export type SubstituteList = Static<typeof SubstituteList>
