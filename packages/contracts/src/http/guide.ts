import { type Static, Type } from 'typebox'
import { ChannelId, Cursor, EpochMs, Nullable, Page, strict } from '../common.ts'
import { Channel, StreamStatus } from './channels.ts'

/** Every time zone is off UTC by a multiple of this, so every viewer's hour begins at one (ms). */
export const GUIDE_STEP_MS = 900_000

/**
 * GET /api/guide: the window [fromMs, fromMs + hours) of all active channels; without `fromMs` from the current
 * hour (UTC). A row is a channel; pages go by channels.
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

/** A programme in so many words; which one exactly, the channel's own guide tells. */
export const GuideTrack = Type.Object({
  title: Type.String(),
  artistName: Type.String(),
  startsAtMs: EpochMs,
  endsAtMs: EpochMs,
})
export type GuideTrack = Static<typeof GuideTrack>

/**
 * Programmes that follow one another: those that begin within an hour, or a long one by itself. `id` stays the same
 * for the same place in the guide, whatever an edit puts there. `artists` are the first of `artistCount`, each once.
 * `title` is the programme's if there is but one.
 */
export const GuideBlock = Type.Object({
  id: Type.String(),
  startsAtMs: EpochMs,
  endsAtMs: EpochMs,
  trackCount: Type.Integer({ minimum: 1 }),
  artists: Type.Array(Type.String(), { minItems: 1, maxItems: 3 }),
  artistCount: Type.Integer({ minimum: 1 }),
  title: Nullable(Type.String()),
})
export type GuideBlock = Static<typeof GuideBlock>

/** A channel's row. `nowAndNext`: what is on and follows within ten minutes; `endsAtMs`: where its timeline ends. */
export const GuideRow = Type.Object({
  channelId: ChannelId,
  name: Channel.properties.name,
  description: Channel.properties.description,
  status: StreamStatus,
  timelineVersion: Type.Integer(),
  endsAtMs: Nullable(EpochMs),
  nowAndNext: Type.Array(GuideTrack),
  blocks: Type.Array(GuideBlock),
})
export type GuideRow = Static<typeof GuideRow>

export const StationGuide = Type.Object({
  fromMs: EpochMs,
  toMs: EpochMs,
  ...Page(GuideRow).properties,
})
export type StationGuide = Static<typeof StationGuide>
