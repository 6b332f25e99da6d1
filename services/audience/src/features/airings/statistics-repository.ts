import type { StatisticsSort, StatisticsUnit } from '@looptide/contracts/http/airing-statistics'
import { MIN_SHARE_VIEWERS } from '@looptide/contracts/http/airing-statistics'
import type { Db } from '@looptide/service-kit/db/db'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

export interface StatisticsRange {
  channelId: string
  from: Date
  to: Date
  now: Date
  /** What a row sums up; `range`: everything. */
  by: StatisticsUnit | 'range'
  /** The starts of the local days that contain the range, in order. */
  days: readonly Date[]
}

interface NamedAiringRow {
  startsAt: string
  title: string | null
  artistName: string | null
}

/** Sums of airings. `sortValue`: what the rows are ordered by, before their start. */
export interface StatisticsRowOfDb {
  startsAt: Date
  endsAt: Date
  airings: number
  viewersAtStart: number | null
  viewersAtEnd: number | null
  joins: number | null
  leaves: number | null
  leftShare: number | null
  reactions: number
  likes: number
  messages: number
  requests: number
  airing: NamedAiringRow | null
  mostLiked: NamedAiringRow | null
  mostLeft: NamedAiringRow | null
  sortValue: number
}

export interface StatisticsOrder {
  sort: StatisticsSort
  isAscending: boolean
  /** The last row of the page before. */
  after?: { sortValue: number; startsAt: Date } | undefined
}

/** Share of viewers who left; null below {@link MIN_SHARE_VIEWERS}. */
const leftShare = sql`case when viewers_at_start + joins >= ${sql.lit(MIN_SHARE_VIEWERS)}
  then leaves::float8 / (viewers_at_start + joins) end`

const START_OF: Record<StatisticsRange['by'], (range: StatisticsRange) => RawBuilder<unknown>> = {
  airing: () => sql`starts_at`,
  hour: () => sql`date_trunc('hour', starts_at, 'UTC')`,
  day: ({ days }) => {
    const starts = sql`${days}::timestamptz[]`
    return sql`(${starts})[width_bucket(starts_at, ${starts})]`
  },
  range: ({ from }) => sql`${from}::timestamptz`,
}

const SORT_VALUES: Record<StatisticsSort, RawBuilder<unknown>> = {
  start: sql`extract(epoch from starts_at) * 1000`,
  viewersAtStart: sql`viewers_at_start`,
  viewersAtEnd: sql`viewers_at_end`,
  joins: sql`joins`,
  leaves: sql`leaves`,
  leftShare: sql`left_share`,
  reactions: sql`reactions`,
  likes: sql`likes`,
  messages: sql`messages`,
  requests: sql`requests`,
}

/** The airing with a `seq`, as JSON. Only of rows of the page, by the primary key. */
const named = (channelId: string, seq: string) => sql`(
  select jsonb_build_object('startsAt', n.starts_at, 'title', n.title, 'artistName', n.artist_name)
  from airings n where n.channel_id = ${channelId} and n.seq = ${sql.ref(seq)})`

/**
 * Sums of the airings of a channel that started in [from, to): at most `limit` rows in an order, after a row. Reads the airings
 * of the range by an index and nothing else: what they sum up is stored in them.
 */
export async function listStatistics(
  db: Db<Database>,
  range: StatisticsRange,
  { sort, isAscending, after }: StatisticsOrder,
  limit: number,
): Promise<StatisticsRowOfDb[]> {
  const { channelId, from, to, now, by } = range
  const direction = isAscending ? sql`asc` : sql`desc`
  const isAfter = after
    ? sql`where (sort_value, starts_at) ${isAscending ? sql`>` : sql`<`} (${after.sortValue}::float8, ${after.startsAt}::timestamptz)`
    : sql``
  const { rows } = await sql<StatisticsRowOfDb>`
    with counted as (
      select seq, starts_at, ends_at, viewers_at_start, case when ends_at <= ${now} then viewers_at_end end as viewers_at_end,
        joins, leaves, reaction_count, likes, messages, requests, ${leftShare} as left_share,
        ${START_OF[by](range)} as row_starts_at
      from airings
      where channel_id = ${channelId} and starts_at >= ${from} and starts_at < ${to} and starts_at <= ${now}
    ), summed as (
      select row_starts_at as starts_at, max(ends_at) as ends_at, count(*)::integer as airings,
        (array_agg(viewers_at_start order by starts_at))[1] as viewers_at_start,
        (array_agg(viewers_at_end order by starts_at desc))[1] as viewers_at_end,
        sum(joins)::integer as joins, sum(leaves)::integer as leaves, sum(reaction_count)::integer as reactions,
        sum(likes)::integer as likes, sum(messages)::integer as messages, sum(requests)::integer as requests,
        min(seq) as first_seq,
        (array_agg(seq order by likes desc, starts_at) filter (where likes > 0))[1] as most_liked,
        (array_agg(seq order by left_share desc, starts_at) filter (where left_share > 0))[1] as most_left
      from counted group by row_starts_at
    ), shared as (
      select *, ${leftShare} as left_share from summed
    ), sorted as (
      select *, coalesce((${SORT_VALUES[sort]})::float8, -1) as sort_value from shared
    ), page as (
      select * from sorted ${isAfter}
      order by sort_value ${direction}, starts_at ${direction} limit ${limit}
    )
    select starts_at, ends_at, airings, viewers_at_start, viewers_at_end, joins, leaves, left_share, reactions, likes,
      messages, requests, sort_value,
      ${by === 'airing' ? named(channelId, 'page.first_seq') : sql`null::jsonb`} as airing,
      ${named(channelId, 'page.most_liked')} as most_liked, ${named(channelId, 'page.most_left')} as most_left
    from page order by sort_value ${direction}, starts_at ${direction}`.execute(db)
  return rows
}
