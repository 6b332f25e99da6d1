/**
 * The columns of a library in CSV, with their heads. The first four are read again by an import; the others are for
 * the reader, since YouTube tells them.
 */
export const VIDEO_CSV_COLUMNS = [
  'url',
  'artist',
  'genre',
  'category',
  'title',
  'duration',
  'views',
  'added',
] as const
export type VideoCsvColumn = (typeof VIDEO_CSV_COLUMNS)[number]

/** What a spreadsheet takes for a formula, and such a text that has been made harmless before. */
const FORMULA = /^'*[=+\-@\t\r\n]/
const GUARDED = /^'+[=+\-@\t\r\n]/

/**
 * A cell that no spreadsheet runs: what begins like a formula gets an apostrophe in front (OWASP, "CSV Injection").
 * {@link unguardCell} takes exactly that one away again.
 */
export const guardCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text that {@link guardCell} was given. */
export const unguardCell = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell)

/** A line of CSV (RFC 4180): every cell guarded, and in quotes where it must be. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`

function quoted(text: string): string {
  const cell = guardCell(text)
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
