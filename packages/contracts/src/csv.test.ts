import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvLine, escapeFormula, unescapeFormula } from './csv.ts'

const starts = fc.constantFrom('', "'", "''", '\t', '\r', '\n', ' ', '\u00a0', '\u200b', '\ufeff', '\u0000')
const formulas = fc.constantFrom('=1+1', '+1', '-1', '@a', '＝1+1', '＋1', '－1', '＠a', 'a', ';=1', '";=1')
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(starts, { maxLength: 3 }).chain((before) => formulas.map((formula) => before.join('') + formula)),
)

/** Whether a spreadsheet may execute a cell. Independent of the pattern that is tested. */
function isFormula(cell: string): boolean {
  if (/^[\t\r\n]/.test(cell)) return true
  const visible = [...cell].find((letter) => !/[\s\p{Cc}\p{Cf}]/u.test(letter))
  return visible !== undefined && '=+-@＝＋－＠'.includes(visible)
}

/** Parses a line into cells (RFC 4180). */
function cellsOf(line: string): string[] {
  const cells = [...`,${line.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/gs)]
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}

it('writes no cell that a spreadsheet would execute', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 8 }), (row) => {
      const cells = cellsOf(csvLine(row))
      expect(cells).toHaveLength(row.length)
      expect(cells.filter(isFormula)).toEqual([])
    }),
  )
})

it('writes cells that unescape to the original text', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 8 }), (row) => {
      expect(cellsOf(csvLine(row)).map(unescapeFormula)).toEqual(row)
    }),
  )
})

it('does not escape text that no spreadsheet executes', () => {
  for (const text of ['a=b', "it's", "'quoted'", '1-2', '', ' a', 'Ä'])
    expect([text, escapeFormula(text), unescapeFormula(text)]).toEqual([text, text, text])
})

it('quotes cells with quotation marks, separators and line breaks', () => {
  expect(csvLine(['a', 'b,c', 'd "e"', '=f', 'g\nh', '', 'i;=j'])).toBe(
    `"a","b,c","d ""e""","'=f","g\nh",,"i;=j"\r\n`,
  )
})
