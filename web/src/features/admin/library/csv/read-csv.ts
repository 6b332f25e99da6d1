import { unescapeFormula } from '@looptide/contracts/csv'
import type { ImportRow } from '@looptide/contracts/http/video-import'
import Papa from 'papaparse'
import { CATEGORIES, PLAYLIST_CATEGORY } from '../categories.ts'

/** A line of the file: what is asked for, or why it cannot be. `line` counts from 1, the head included. */
export type CsvRow = { line: number; url: string } & (
  | { row: ImportRow; problem?: never }
  | { row?: never; problem: string }
)

/** Most lines of one file: more is a library of its own. */
export const MOST_ROWS = 5_000

const LIMITS = { url: 2048, artist: 200, genre: 100 } as const
const KNOWN_CATEGORIES: readonly string[] = [...CATEGORIES, PLAYLIST_CATEGORY]

/**
 * Reads a CSV with a head that names at least the column `url` (also `artist`, `genre`, `category`, in any order and
 * case; other columns are left alone). Cells that an export made harmless get their own text back.
 */
export function readCsv(text: string): { rows: CsvRow[] } | { problem: string } {
  const plain = text.replace(/^\uFEFF/, '')
  const { data } = Papa.parse<string[]>(plain, { skipEmptyLines: 'greedy', delimiter: delimiterOf(plain) })
  const [head = [], ...lines] = data
  const columns = head.map((name) => name.trim().toLowerCase())
  const urlColumn = columns.indexOf('url')
  if (urlColumn < 0) return { problem: 'The first line must name the columns; one of them must be "url".' }
  if (lines.length === 0) return { problem: 'There is nothing below the first line.' }
  if (lines.length > MOST_ROWS) {
    return { problem: `More than ${MOST_ROWS} lines: please import it in parts.` }
  }
  const cellOf = (cells: readonly string[], name: string): string =>
    unescapeFormula(cells[columns.indexOf(name)] ?? '').trim()
  return {
    rows: lines.map((cells, index) => {
      const [url, artist, genre, category] = ['url', 'artist', 'genre', 'category'].map((name) =>
        cellOf(cells, name),
      ) as [string, string, string, string]
      const place = { line: index + 2, url }
      const problem = problemOf(url, artist, genre, category)
      return problem === null ? { ...place, row: rowOf(url, artist, genre, category) } : { ...place, problem }
    }),
  }
}

/** What parts the columns of the head: spreadsheets write commas, semicolons or tabs, by their country. */
function delimiterOf(text: string): string {
  const head = text.split(/[\r\n]/, 1)[0] ?? ''
  return [',', ';', '\t'].find((mark) => head.includes(mark)) ?? ','
}

function problemOf(url: string, artist: string, genre: string, category: string): string | null {
  if (url === '') return 'There is no URL.'
  if (url.length > LIMITS.url) return 'The URL is too long.'
  if (artist.length > LIMITS.artist) return `The artist is longer than ${LIMITS.artist} characters.`
  if (genre.length > LIMITS.genre) return `The genre is longer than ${LIMITS.genre} characters.`
  if (category !== '' && !KNOWN_CATEGORIES.includes(category)) return `There is no category "${category}".`
  return null
}

const rowOf = (url: string, artist: string, genre: string, category: string): ImportRow => ({
  url,
  ...(artist && { artistName: artist }),
  ...(genre && { genre }),
  ...(category && { category: category as NonNullable<ImportRow['category']> }),
})
