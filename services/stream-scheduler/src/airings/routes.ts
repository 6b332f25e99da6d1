import { Readable } from 'node:stream'
import { csvLine } from '@looptide/contracts/csv'
import { MAX_REPORT_MS } from '@looptide/contracts/http/airings'
import { streamAiringReport, streamAiringRoyaltyLog } from '@looptide/contracts/operations/stream/airings'
import { errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import type { Database, Store } from '../db/schema.ts'
import { findChannel } from '../guide/now-response.ts'
import type { TimelineCache } from '../timeline/timeline-cache.ts'
import {
  type AiringRange,
  airingsByHour,
  airingTotals,
  mostAiredArtists,
  mostAiredVideos,
  type RoyaltyRow,
  royaltyRows,
} from './airing-repository.ts'

/** Videos and artists of a report. */
const LISTED = 100

interface Deps {
  db: Kysely<Database>
  timelines: TimelineCache
  now: () => number
}

/** Routes of the reports about what was on the air. */
export const airingRoutes = ({ db, timelines, now }: Deps): Route[] => [
  route(streamAiringReport, async ({ params, query }) => {
    const range = await rangeOf(timelines, params.id, query, now())
    const [totals, videos, artists, hours] = await Promise.all([
      airingTotals(db, range),
      mostAiredVideos(db, range, LISTED),
      mostAiredArtists(db, range, LISTED),
      airingsByHour(db, range),
    ])
    return { totals, videos, artists, hours }
  }),
  route(streamAiringRoyaltyLog, async ({ params, query, reply }) => {
    const range = await rangeOf(timelines, params.id, query, now())
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="airings-${params.id}.csv"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(royaltyLog(db, range)))
  }),
]

/** Throws `not_found` without the channel, and `validation_failed` if the range is empty or too long. */
async function rangeOf(
  timelines: TimelineCache,
  channelId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  nowMs: number,
): Promise<AiringRange> {
  if (toMs <= fromMs || toMs - fromMs > MAX_REPORT_MS)
    throw errors.validation('The range is from one instant to a later one, at most 93 days.')
  await findChannel(timelines, channelId)
  return { channelId, fromMs, toMs, endedByMs: nowMs }
}

/** Rows read at a time. */
const PAGE_SIZE = 1000
/** Spreadsheet programs recognise UTF-8 by it. */
const BYTE_ORDER_MARK = '\uFEFF'
const COLUMNS = ['started_at', 'title', 'artist', 'isrc', 'duration_s', 'average_listeners']

/** The programmes of a range as CSV, in order. Reads and yields one page at a time, so memory use stays constant. */
async function* royaltyLog(db: Store, range: AiringRange): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS)
  for (let { fromMs } = range; ; ) {
    const rows = await royaltyRows(db, { ...range, fromMs }, PAGE_SIZE)
    if (rows.length > 0) yield rows.map(toLine).join('')
    const last = rows.at(-1)
    if (rows.length < PAGE_SIZE || last === undefined) return
    // Programmes of a channel do not overlap.
    fromMs = last.startedAtMs + 1
  }
}

/** The column of the ISRC is empty: the station does not know it. */
const toLine = ({ title, artistName, startedAtMs, endedAtMs, listeners }: RoyaltyRow): string =>
  csvLine([
    new Date(startedAtMs).toISOString(),
    title,
    artistName,
    '',
    String(Math.round((endedAtMs - startedAtMs) / 1000)),
    String(listeners ?? ''),
  ])
