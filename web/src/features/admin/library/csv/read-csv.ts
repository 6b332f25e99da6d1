import { unescapeFormula } from '@looptide/contracts/csv'
import type { ImportRow } from '@looptide/contracts/http/video-import'
import { parsePosition } from '@looptide/playhead/duration'
import Papa from 'papaparse'
import { CATEGORIES, PLAYLIST_CATEGORY } from '../categories.ts'
import { trimProblem } from '../edit/trim-problem.ts'
import { tagProblem, tagsOf } from '../tags/tag-text.ts'

/** A line of the file: the row to import, or the problem with it. `line` counts from 1, including the header. */
export type CsvRow = { line: number; url: string } & (
  | { row: ImportRow; problem?: never }
  | { row?: never; problem: string }
)

/** The columns that are read. */
const COLUMNS = ['url', 'artist', 'genre', 'category', 'tags', 'start', 'end'] as const
type Line = Record<(typeof COLUMNS)[number], string>

/** Maximum number of lines in a file. */
const MAX_ROWS = 5_000

const LIMITS = { url: 2048, artist: 200, genre: 100 } as const
const KNOWN_CATEGORIES: readonly string[] = [...CATEGORIES, PLAYLIST_CATEGORY]

/**
 * Reads a CSV file whose header has at least the column `url`. The other columns of {@link COLUMNS} are
 * optional; order and case do not matter, and other columns are ignored. Formula escapes written by an export are
 * undone.
 */
export function readCsv(text: string): { rows: CsvRow[] } | { problem: string } {
  const plain = text.replace(/^\uFEFF/, '')
  const { data } = Papa.parse<string[]>(plain, { skipEmptyLines: 'greedy', delimiter: delimiterOf(plain) })
  const [header = [], ...lines] = data
  const columns = header.map((name) => name.trim().toLowerCase())
  const urlColumn = columns.indexOf('url')
  if (urlColumn < 0) return { problem: 'The first line must name the columns, including "url".' }
  if (lines.length === 0) return { problem: 'The file has no lines below the column names.' }
  if (lines.length > MAX_ROWS) {
    return { problem: `The file has more than ${MAX_ROWS} lines. Please split it.` }
  }
  const cellOf = (cells: readonly string[], name: string): string =>
    unescapeFormula(cells[columns.indexOf(name)] ?? '').trim()
  return {
    rows: lines.map((cells, index) => {
      const line = Object.fromEntries(COLUMNS.map((name) => [name, cellOf(cells, name)])) as Line
      const place = { line: index + 2, url: line.url }
      const problem = problemOf(line)
      return problem === undefined ? { ...place, row: rowOf(line) } : { ...place, problem }
    }),
  }
}

/** The delimiter used in the header. Spreadsheets write commas, semicolons or tabs, depending on the locale. */
function delimiterOf(text: string): string {
  const header = text.split(/[\r\n]/, 1)[0] ?? ''
  return [',', ';', '\t'].find((delimiter) => header.includes(delimiter)) ?? ','
}

function problemOf(line: Line): string | undefined {
  const { url, artist, genre, category, tags, start, end } = line
  if (url === '') return 'Missing URL.'
  if (url.length > LIMITS.url) return 'The URL is too long.'
  if (artist.length > LIMITS.artist) return `The artist is longer than ${LIMITS.artist} characters.`
  if (genre.length > LIMITS.genre) return `The genre is longer than ${LIMITS.genre} characters.`
  if (category !== '' && !KNOWN_CATEGORIES.includes(category)) return `Unknown category "${category}".`
  const trim = trimProblem({ startAt: start, endAt: end }, { durationMs: 0, durationAssumed: true })
  return tagProblem(tagsOf(tags)) ?? (trim && `${trim.field === 'startAt' ? 'Start' : 'End'}: ${trim.text}`)
}

const rowOf = ({ url, artist, genre, category, tags, start, end }: Line): ImportRow => ({
  url,
  ...(artist && { artistName: artist }),
  ...(genre && { genre }),
  ...(category && { category: category as NonNullable<ImportRow['category']> }),
  ...(tags && { tags: tagsOf(tags) }),
  ...(start && { startAtMs: parsePosition(start) }),
  ...(end && { endAtMs: parsePosition(end) }),
})
