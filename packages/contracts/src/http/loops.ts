import { type Static, Type } from 'typebox'
import { ChannelId, strict, Uuid } from '../common.ts'

/**
 * The loop of a channel: number of videos and total duration. `source` is `library` if the default channel has no
 * playable live playlist and plays the public videos.
 */
export const ChannelLoop = Type.Object({
  source: Type.Union([Type.Literal('playlist'), Type.Literal('library')]),
  videosCount: Type.Integer({ minimum: 0 }),
  durationMs: Type.Integer({ minimum: 0 }),
})
export type ChannelLoop = Static<typeof ChannelLoop>

/** A channel whose loop is shorter repeats within the hour, in ms. */
export const SHORT_LOOP_MS = 3_600_000
/** Maximum videos per request. */
export const MAX_REMOVED_VIDEOS = 20_000

/**
 * GET /api/channels/short-loops (admin): active channels whose loop is shorter than an hour.
 *
 * POST /api/channels/short-loops (admin): active channels that play one of these videos and whose loop without them would
 * be shorter than an hour, or empty (`videosCount` 0). Nothing is changed.
 */
export const WithoutVideosBody = Type.Object(
  { withoutVideoIds: Type.Array(Uuid, { minItems: 1, maxItems: MAX_REMOVED_VIDEOS, uniqueItems: true }) },
  strict,
)
export const ShortLoops = Type.Object({
  items: Type.Array(Type.Object({ channelId: ChannelId, name: Type.String(), loop: ChannelLoop })),
})
export type ShortLoops = Static<typeof ShortLoops>
