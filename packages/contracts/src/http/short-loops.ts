import { type Static, Type } from 'typebox'
import { ChannelId, strict, Uuid } from '../common.ts'
import { ChannelLoop } from './simulation.ts'

/** A list that is shorter repeats itself within the hour (ms). */
export const SHORT_LOOP_MS = 3_600_000
/** Most videos whose removal one request asks about. */
export const MAX_REMOVED_VIDEOS = 20_000

/**
 * GET /api/channels/short-loops (admin): the active channels that play the same videos again within an hour.
 *
 * POST /api/channels/short-loops (admin): the active channels that play one of these videos, and without them would play
 * the rest again within an hour, or nothing at all (`videosCount` 0). Nothing is changed.
 */
export const WithoutVideosBody = Type.Object(
  { withoutVideoIds: Type.Array(Uuid, { minItems: 1, maxItems: MAX_REMOVED_VIDEOS, uniqueItems: true }) },
  strict,
)
export const ShortLoops = Type.Object({
  items: Type.Array(Type.Object({ channelId: ChannelId, name: Type.String(), loop: ChannelLoop })),
})
export type ShortLoops = Static<typeof ShortLoops>
