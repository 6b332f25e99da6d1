import { csvLine } from '@looptide/contracts/csv'
import { VIDEO_CSV_COLUMNS, type VideoCsvColumn } from '@looptide/contracts/video-csv'
import { formatDuration } from '@looptide/playhead/duration'
import { encodeCursor } from '@looptide/service-kit/cursor'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { listCursor, listVideos } from './list-repository.ts'

/** Rows that are in memory at a time. */
const PORTION = 500
/** Spreadsheets take the file for UTF-8 by this. */
const BYTE_ORDER_MARK = '\uFEFF'

/** The whole library as CSV, newest first, portion by portion: a large one is never in memory as a whole. */
export async function* exportVideos(db: Queries): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(VIDEO_CSV_COLUMNS)
  for (let cursor: string | undefined; ; ) {
    const options = { sort: 'newest', includePrivate: true, limit: PORTION, cursor } as const
    const rows = (await listVideos(db, options)).slice(0, PORTION)
    if (rows.length > 0) yield rows.map(lineOf).join('')
    const last = rows.at(-1)
    if (rows.length < PORTION || last === undefined) return
    cursor = encodeCursor(listCursor('newest', last))
  }
}

function lineOf(row: VideoRow): string {
  const cells: Record<VideoCsvColumn, string> = {
    url: row.youtubeId === null ? row.videoUrl : `https://www.youtube.com/watch?v=${row.youtubeId}`,
    artist: row.artistName,
    genre: row.genre ?? '',
    category: row.category ?? '',
    title: row.title,
    duration: formatDuration(row.durationMs),
    views: String(row.viewCount),
    added: row.createdAt.toISOString(),
  }
  return csvLine(VIDEO_CSV_COLUMNS.map((column) => cells[column]))
}
