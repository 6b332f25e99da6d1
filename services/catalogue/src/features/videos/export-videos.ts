import { csvLine } from '@looptide/contracts/csv'
import { VIDEO_CSV_COLUMNS, type VideoCsvColumn } from '@looptide/contracts/video-csv'
import { formatDuration, formatPosition } from '@looptide/playhead/duration'
import { encodeCursor } from '@looptide/service-kit/http/cursor'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { listCursor, listVideos } from './list-repository.ts'

/** Rows read at a time. */
const PAGE_SIZE = 500
/** Spreadsheet programs recognise UTF-8 by it. */
const BYTE_ORDER_MARK = '\uFEFF'

/** The whole library as CSV, newest first. Reads and yields one page at a time, so memory use stays constant. */
export async function* exportVideos(db: Queries): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(VIDEO_CSV_COLUMNS)
  for (let cursor: string | undefined; ; ) {
    const options = { sort: 'newest', includePrivate: true, limit: PAGE_SIZE, cursor } as const
    const rows = (await listVideos(db, options)).slice(0, PAGE_SIZE)
    if (rows.length > 0) yield rows.map(toCsvLine).join('')
    const last = rows.at(-1)
    if (rows.length < PAGE_SIZE || last === undefined) return
    cursor = encodeCursor(listCursor('newest', last))
  }
}

function toCsvLine(row: VideoRow): string {
  const cells: Record<VideoCsvColumn, string> = {
    url: row.youtubeId === null ? row.videoUrl : `https://www.youtube.com/watch?v=${row.youtubeId}`,
    artist: row.artistName,
    genre: row.genre ?? '',
    category: row.category ?? '',
    title: row.title,
    duration: formatDuration(row.durationMs),
    views: String(row.viewCount),
    added: row.createdAt.toISOString(),
    tags: row.tags.join(', '),
    start: row.startAtMs === 0 ? '' : formatPosition(row.startAtMs),
    end: row.endAtMs === null ? '' : formatPosition(row.endAtMs),
  }
  return csvLine(VIDEO_CSV_COLUMNS.map((column) => cells[column]))
}
