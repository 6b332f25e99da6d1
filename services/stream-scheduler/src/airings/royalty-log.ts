import { csvLine } from '@looptide/contracts/csv'
import type { Store } from '../db/schema.ts'
import { type AiringRange, type RoyaltyRow, royaltyRows } from './airing-repository.ts'

/** Rows read at a time. */
const PAGE_SIZE = 1000
/** Spreadsheet programs recognise UTF-8 by it. */
const BYTE_ORDER_MARK = '\uFEFF'
const COLUMNS = ['started_at', 'title', 'artist', 'isrc', 'duration_s', 'average_listeners']

/** The programmes of a range as CSV, in order. Reads and yields one page at a time, so memory use stays constant. */
export async function* royaltyLog(db: Store, range: AiringRange): AsyncGenerator<string> {
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
