import { csvLine } from '@looptide/contracts/csv'
import type {
  AiringStatistics,
  AiringStatisticsQuery,
  NamedAiring,
  StatisticsRangeQuery,
  StatisticsRow,
} from '@looptide/contracts/http/airing-statistics'
import { MAX_REPORT_MS } from '@looptide/contracts/http/airings'
import { isTimeZone, LocalDays } from '@looptide/planner/local-days'
import type { Db } from '@looptide/service-kit/db/db'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { errors } from '@looptide/service-kit/http/errors'
import type { Static } from 'typebox'
import type { Database } from '../../db/schema.ts'
import { listStatistics, type StatisticsRange, type StatisticsRowOfDb } from './statistics-repository.ts'

/** A page of the statistics, and the totals of the range. Throws as {@link rangeOf}, and `invalid_cursor`. */
export async function statisticsPage(
  db: Db<Database>,
  channelId: string,
  query: Static<typeof AiringStatisticsQuery>,
  nowMs: number,
): Promise<AiringStatistics> {
  const range = rangeOf(channelId, query, nowMs)
  const { sort = 'start', order = 'descending', limit = 100, cursor } = query
  const after = cursor === undefined ? undefined : afterOf(cursor)
  const orderBy = { sort, isAscending: order === 'ascending', after }
  const [rows, [totals]] = await Promise.all([
    listStatistics(db, range, orderBy, limit + 1),
    listStatistics(db, { ...range, by: 'range' }, { sort: 'start', isAscending: true }, 1),
  ])
  return {
    ...toPage(rows, limit, present, (row) => [row.sortValue, row.startsAt.getTime()]),
    totals: totals ? present(totals) : null,
  }
}

function afterOf(cursor: string): { sortValue: number; startsAt: Date } {
  const [sortValue, startsAtMs] = decodeCursor(cursor, ['number', 'number'])
  return { sortValue, startsAt: new Date(startsAtMs) }
}

/** Throws `validation_failed` for a range that is empty or too long, and for an unknown time zone. */
export function rangeOf(
  channelId: string,
  { fromMs, toMs, by = 'airing', timeZone = 'UTC' }: Static<typeof StatisticsRangeQuery>,
  nowMs: number,
): StatisticsRange {
  if (toMs <= fromMs || toMs - fromMs > MAX_REPORT_MS)
    throw errors.validation('The range is from one instant to a later one, at most 93 days.')
  if (!isTimeZone(timeZone)) throw errors.validation('This time zone is unknown.')
  const days = by === 'day' ? daysOf(timeZone, fromMs, toMs) : []
  return { channelId, from: new Date(fromMs), to: new Date(toMs), now: new Date(nowMs), by, days }
}

/** The starts of the local days that contain the instants of [fromMs, toMs). */
function daysOf(timeZone: string, fromMs: number, toMs: number): Date[] {
  const local = new LocalDays(timeZone)
  const days: Date[] = []
  for (let day = local.dayOf(fromMs); local.startOf(day) < toMs; day += 1)
    days.push(new Date(local.startOf(day)))
  return days
}

function present({ startsAt, endsAt, sortValue: _, ...row }: StatisticsRowOfDb): StatisticsRow {
  return {
    ...row,
    startedAtMs: startsAt.getTime(),
    endedAtMs: endsAt.getTime(),
    airing: presentAiring(row.airing),
    mostLiked: presentAiring(row.mostLiked),
    mostLeft: presentAiring(row.mostLeft),
  }
}

const presentAiring = (airing: StatisticsRowOfDb['airing']): NamedAiring | null =>
  airing && {
    startedAtMs: Date.parse(airing.startsAt),
    title: airing.title,
    artistName: airing.artistName,
  }

/** Rows read at a time: more than there are hours or days in the longest range. */
const PAGE_SIZE = 2500
/** Spreadsheet programs recognise UTF-8 by it. */
const BYTE_ORDER_MARK = '\uFEFF'
const COLUMNS = [
  ...['started_at', 'ended_at', 'title', 'artist', 'airings', 'viewers_at_start', 'viewers_at_end', 'joins'],
  ...['leaves', 'left_share', 'reactions', 'likes', 'messages', 'requests'],
]

/** The rows of a range as CSV, the oldest first. Reads and yields one page at a time, so memory use stays constant. */
export async function* statisticsCsv(db: Db<Database>, range: StatisticsRange): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS)
  for (let { from } = range; ; ) {
    const rows = await listStatistics(db, { ...range, from }, { sort: 'start', isAscending: true }, PAGE_SIZE)
    if (rows.length > 0) yield rows.map(toLine).join('')
    const last = rows.at(-1)
    if (rows.length < PAGE_SIZE || last === undefined) return
    from = new Date(last.startsAt.getTime() + 1)
  }
}

function toLine({ startsAt, endsAt, airing, ...row }: StatisticsRowOfDb): string {
  const { airings, viewersAtStart, viewersAtEnd, joins, leaves, leftShare } = row
  const { reactions, likes, messages, requests } = row
  const numbers = [airings, viewersAtStart, viewersAtEnd, joins, leaves, leftShare?.toFixed(3) ?? null]
  return csvLine([
    startsAt.toISOString(),
    endsAt.toISOString(),
    airing?.title ?? '',
    airing?.artistName ?? '',
    ...[...numbers, reactions, likes, messages, requests].map((number) => String(number ?? '')),
  ])
}
