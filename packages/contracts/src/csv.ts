/**
 * What a spreadsheet may take for a formula (OWASP, "CSV Injection"): `=`, `+`, `-` and `@`, also in full width, behind
 * blanks and characters that are not seen; and a tab or a line break, which may end the cell before it.
 */
const FORMULA = /[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n]/u
const NEEDS_GUARD = new RegExp(`^'*(?:${FORMULA.source})`, 'u')
const IS_GUARDED = new RegExp(`^'+(?:${FORMULA.source})`, 'u')

/** A cell that no spreadsheet runs: an apostrophe is put in front where it is needed. */
export const escapeFormula = (text: string): string => (NEEDS_GUARD.test(text) ? `'${text}` : text)

/** The text that {@link escapeFormula} was given: exactly its apostrophe is taken away again. */
export const unescapeFormula = (cell: string): string => (IS_GUARDED.test(cell) ? cell.slice(1) : cell)

/**
 * A line of CSV (RFC 4180). Every cell is guarded, and in quotation marks unless it is empty: whichever separator a
 * spreadsheet expects, the text stays one cell.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`

const quoted = (text: string): string => (text === '' ? '' : `"${escapeFormula(text).replaceAll('"', '""')}"`)
