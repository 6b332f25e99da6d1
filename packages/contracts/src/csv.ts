/**
 * Text that a spreadsheet may execute as a formula (OWASP, "CSV Injection"): `=`, `+`, `-` or `@`, also in full width, after
 * optional blanks and invisible characters; or a tab or line break, which may end the previous cell.
 */
const FORMULA = /[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n]/u
const NEEDS_ESCAPE = new RegExp(`^'*(?:${FORMULA.source})`, 'u')
const IS_ESCAPED = new RegExp(`^'+(?:${FORMULA.source})`, 'u')

/** Prefixes an apostrophe to a cell that a spreadsheet may execute. */
export const escapeFormula = (text: string): string => (NEEDS_ESCAPE.test(text) ? `'${text}` : text)

/** Reverses {@link escapeFormula}. */
export const unescapeFormula = (cell: string): string => (IS_ESCAPED.test(cell) ? cell.slice(1) : cell)

/**
 * A line of CSV (RFC 4180). Every cell is escaped and, unless it is empty, quoted, so that it stays one cell whichever
 * separator a spreadsheet expects. Not `papaparse`, which escapes fewer formulas.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`

const quoted = (text: string): string => (text === '' ? '' : `"${escapeFormula(text).replaceAll('"', '""')}"`)
