import { unescapeFormula } from '@looptide/contracts/csv'
import type { ImportRow } from '@looptide/contracts/http/video-import'
import { cleanAddress, cleanLine } from '@looptide/contracts/text'
import Papa from 'papaparse'
import { CATEGORIES, PLAYLIST_CATEGORY } from '../../admin/categories.ts'
import { trimProblem } from '../edit/trim-problem.ts'
import { typedPosition } from '../edit/video-fields.ts'
import { tagProblem, tagsOf } from '../tags/tag-text.ts'

/** A line of the file: the row to import, or the problem with it. `line` is its first line in the file, from 1. */
export type CsvRow = { line: number; url: string } & (
  | { row: ImportRow; problem?: never }
  | { row?: never; problem: string }
)

/** The rows of a file, and what an admin should know about how it was read. */
interface CsvFile {
  rows: CsvRow[]
  notes: string[]
}

/** The columns that are read. */
const COLUMNS = ['url', 'title', 'artist', 'genre', 'category', 'tags', 'start', 'end'] as const
type Line = Record<(typeof COLUMNS)[number], string>

/** Maximum number of lines in a file. */
const MAX_ROWS = 5_000

const LIMITS = { url: 2048, title: 300, artist: 200, genre: 100 } as const
const KNOWN_CATEGORIES: readonly string[] = [...CATEGORIES, PLAYLIST_CATEGORY]

/**
 * Reads a CSV file whose header has at least the column `url`. The other columns of {@link COLUMNS} are optional; order
 * and case do not matter, and other columns are ignored. Accepts what spreadsheets write: UTF-8, UTF-16 and Windows-1252,
 * commas, semicolons and tabs, also named by a first line `sep=;`. Formula escapes written by an export are undone.
 */
export function readCsv(bytes: Uint8Array): CsvFile | { problem: string } {
  const { text, isGuessed } = decodeText(bytes)
  const { header, lines } = parseLines(text.replace(/\r\n?/g, '\n'))
  const columns = header.map((name) => cleanLine(name).toLowerCase())
  const urlColumn = columns.indexOf('url')
  if (urlColumn < 0) return { problem: 'The first line must name the columns, including "url".' }
  if (lines.length === 0) return { problem: 'The file has no lines below the column names.' }
  if (lines.length > MAX_ROWS) {
    return { problem: `The file has more than ${MAX_ROWS} lines. Please split it.` }
  }
  const ignored = columns.filter((name) => name !== '' && !COLUMNS.some((known) => known === name))
  return {
    notes: [
      ...(isGuessed
        ? ['The file is not UTF-8, so it was read as Windows-1252. Please check its accents.']
        : []),
      ...(ignored.length > 0 ? [`Columns that are not imported: ${ignored.join(', ')}.`] : []),
    ],
    rows: lines.map(({ cells, line }) => {
      const values = Object.fromEntries(
        COLUMNS.map((name) => [name, textOf(cells[columns.indexOf(name)] ?? '', name)]),
      ) as Line
      const problem = problemOf(values)
      const place = { line, url: values.url }
      return problem === undefined ? { ...place, row: rowOf(values) } : { ...place, problem }
    }),
  }
}

/**
 * Decodes a text file as spreadsheets write it: UTF-16 by its byte order mark or by the NUL beside its first letter, else
 * UTF-8 if all bytes are valid, else Windows-1252, which is what Excel calls "CSV" (`isGuessed`). Removes the byte order mark.
 */
function decodeText(bytes: Uint8Array): { text: string; isGuessed: boolean } {
  const encoding = utf16Of(bytes)
  if (encoding !== undefined) return { text: new TextDecoder(encoding).decode(bytes), isGuessed: false }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isGuessed: false }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isGuessed: true }
  }
}

function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined)) return 'utf-16be'
  return undefined
}

/** The header and the lines with content, each with the number of its first line in the file. */
function parseLines(text: string) {
  const separator = /^"?sep=(.)"?\n/i.exec(text)
  const offset = separator?.[0].length ?? 0
  const rows: { cells: string[]; line: number }[] = []
  let start = offset
  let line = 1
  let counted = 0
  Papa.parse<string[]>(text.slice(offset), {
    delimiter: separator?.[1] ?? delimiterOf(text),
    newline: '\n',
    step: ({ data, meta }) => {
      line += text.slice(counted, start).split('\n').length - 1
      counted = start
      start = offset + meta.cursor
      if (data.some((cell) => cell.trim() !== '')) rows.push({ cells: data, line })
    },
  })
  const [header, ...lines] = rows
  return { header: header?.cells ?? [], lines }
}

/** The delimiter that the header uses most. Spreadsheets write commas, semicolons or tabs, depending on the locale. */
function delimiterOf(text: string): string {
  const [header = ''] = text
    .trimStart()
    .replaceAll(/"[^"]*"/g, '')
    .split('\n', 1)
  const count = (delimiter: string) => header.split(delimiter).length
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ','
}

function textOf(cell: string, column: keyof Line): string {
  const text = unescapeFormula(cell)
  return column === 'url' ? cleanAddress(text) : cleanLine(text)
}

function problemOf(line: Line): string | undefined {
  const { url, title, artist, genre, category, tags, start, end } = line
  if (url === '') return 'Missing URL.'
  if (url.length > LIMITS.url) return 'The URL is too long.'
  if (title.length > LIMITS.title) return `The title is longer than ${LIMITS.title} characters.`
  if (artist.length > LIMITS.artist) return `The artist is longer than ${LIMITS.artist} characters.`
  if (genre.length > LIMITS.genre) return `The genre is longer than ${LIMITS.genre} characters.`
  if (category !== '' && !KNOWN_CATEGORIES.includes(category)) return `Unknown category "${category}".`
  const trim = trimProblem({ startAt: start, endAt: end }, { durationMs: 0, durationAssumed: true })
  return tagProblem(tagsOf(tags)) ?? (trim && `${trim.field === 'startAt' ? 'Start' : 'End'}: ${trim.text}`)
}

const rowOf = ({ url, title, artist, genre, category, tags, start, end }: Line): ImportRow => ({
  url,
  ...(title && { title }),
  ...(artist && { artistName: artist }),
  ...(genre && { genre }),
  ...(category && { category: category as NonNullable<ImportRow['category']> }),
  ...(tags && { tags: tagsOf(tags) }),
  ...(start && { startAtMs: typedPosition(start) }),
  ...(end && { endAtMs: typedPosition(end) }),
})
