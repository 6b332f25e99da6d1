import { type Static, Type } from 'typebox'
import { ChannelId, EpochMs, Nullable, Uuid } from '../common.ts'

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
