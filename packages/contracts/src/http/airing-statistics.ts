import { type Static, Type } from 'typebox'
import { Cursor, EpochMs, Nullable, Page, strict, TimestampMs } from '../common.ts'
import { Code } from '../text-fields.ts'

/** What a row of the statistics sums up: an airing, or the airings that started in an hour (UTC) or a local day. */
const STATISTICS_UNITS = ['airing', 'hour', 'day'] as const
export type StatisticsUnit = (typeof STATISTICS_UNITS)[number]

const STATISTICS_SORTS = [
  'start',
  'viewersAtStart',
  'viewersAtEnd',
  'joins',
  'leaves',
  'leftShare',
  'reactions',
  'likes',
  'messages',
  'requests',
] as const
export type StatisticsSort = (typeof STATISTICS_SORTS)[number]

/** Viewers at the start and joins that an airing needs, together, for a share of those who left. */
export const MIN_SHARE_VIEWERS = 5

/** `timeZone`: IANA name of the zone of the days; UTC if it is missing. */
const range = {
  fromMs: TimestampMs,
  toMs: TimestampMs,
  by: Type.Optional(Type.Enum(STATISTICS_UNITS, { default: 'airing' })),
  timeZone: Type.Optional(Code({ minLength: 1, maxLength: 64 })),
}

/** The airings that started in [fromMs, toMs), at most MAX_REPORT_MS. */
export const StatisticsRangeQuery = Type.Object(range, strict)

/** Rows without a value are those with the lowest; rows with the same value are in the order of time. */
export const AiringStatisticsQuery = Type.Object(
  {
    ...range,
    sort: Type.Optional(Type.Enum(STATISTICS_SORTS, { default: 'start' })),
    order: Type.Optional(Type.Enum(['ascending', 'descending'], { default: 'descending' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
    cursor: Type.Optional(Cursor),
  },
  strict,
)

const Count = Type.Integer({ minimum: 0 })

/** `title`, `artistName`: as broadcast; null for airings of earlier releases. */
const NamedAiring = Type.Object({
  startedAtMs: EpochMs,
  title: Nullable(Type.String()),
  artistName: Nullable(Type.String()),
})
export type NamedAiring = Static<typeof NamedAiring>

/**
 * What viewers did during one airing, or several. `startedAtMs`: start of the airing, hour or day; `endedAtMs`: end of the last
 * airing. `viewersAtStart`: of the first airing; `viewersAtEnd`: of the last one, null until it has ended. Numbers that were
 * not counted are null. `leftShare`: leaves ÷ (viewers at the start + joins), null below {@link MIN_SHARE_VIEWERS}. `airing`: null if
 * the row sums up several. `mostLiked`, `mostLeft`: the airing with the most likes and with the largest share of leaves, if
 * there are any.
 */
const StatisticsRow = Type.Object({
  startedAtMs: EpochMs,
  endedAtMs: EpochMs,
  airings: Type.Integer({ minimum: 1 }),
  airing: Nullable(NamedAiring),
  viewersAtStart: Nullable(Count),
  viewersAtEnd: Nullable(Count),
  joins: Nullable(Count),
  leaves: Nullable(Count),
  leftShare: Nullable(Type.Number({ minimum: 0 })),
  reactions: Count,
  likes: Count,
  messages: Count,
  requests: Count,
  mostLiked: Nullable(NamedAiring),
  mostLeft: Nullable(NamedAiring),
})
export type StatisticsRow = Static<typeof StatisticsRow>

/** GET /api/channels/:id/airings/statistics. `totals`: of the whole range; null if nothing was on the air. */
export const AiringStatistics = Type.Object({
  ...Page(StatisticsRow).properties,
  totals: Nullable(StatisticsRow),
})
export type AiringStatistics = Static<typeof AiringStatistics>
