import { type Static, Type } from 'typebox'
import { EpochMs, Nullable, strict, Uuid } from '../common.ts'

/** The longest range of a report: a quarter, in ms. */
export const MAX_REPORT_MS = 93 * 86_400_000

/** The programmes that started in [fromMs, toMs) and have ended. At most {@link MAX_REPORT_MS}. */
export const AiringRangeQuery = Type.Object({ fromMs: EpochMs, toMs: EpochMs }, strict)

const Count = Type.Integer({ minimum: 0 })
/** `listeners`: average number of viewers, weighted by the length of the programmes; null where it is not known. */
const Airings = { airings: Count, playedMs: Type.Number({ minimum: 0 }), listeners: Nullable(Count) }

/** Texts are those of the last broadcast. `intervalMs`: average time from one start to the next; null for a single one. */
const VideoAirings = Type.Object({
  videoId: Uuid,
  title: Type.String(),
  artistName: Type.String(),
  intervalMs: Nullable(Type.Number({ minimum: 0 })),
  ...Airings,
})
const ArtistAirings = Type.Object({ artistName: Type.String(), videos: Count, ...Airings })
/** `atMs`: start of the hour (UTC). */
const HourAirings = Type.Object({ atMs: EpochMs, ...Airings })

/** `videos`, `artists`: the hundred with the most airings. `hours`: those in which a programme started, in order. */
export const AiringReport = Type.Object({
  totals: Type.Object({ ...Airings, videos: Count, artists: Count }),
  videos: Type.Array(VideoAirings, { maxItems: 100 }),
  artists: Type.Array(ArtistAirings, { maxItems: 100 }),
  hours: Type.Array(HourAirings),
})
export type AiringReport = Static<typeof AiringReport>

/** How often a video was on the air, on all channels together, and when it started last. */
const VideoAiring = Type.Object({
  videoId: Uuid,
  airings: Type.Integer({ minimum: 1 }),
  lastStartedAtMs: EpochMs,
})
export type VideoAiring = Static<typeof VideoAiring>
/** GET /api/channels/airings?ids=… (admin): videos that never were on the air are omitted. */
export const AiringList = Type.Object({ items: Type.Array(VideoAiring) })
