import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvLine, escapeFormula, unescapeFormula } from './csv.ts'

const starts = fc.constantFrom('', "'", "''", '\t', '\r', '\n', ' ', '\u00a0', '\u200b', '\ufeff', '\u0000')
const formulas = fc.constantFrom('=1+1', '+1', '-1', '@a', '＝1+1', '＋1', '－1', '＠a', 'a', ';=1', '";=1')
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(starts, { maxLength: 3 }).chain((before) => formulas.map((formula) => before.join('') + formula)),
)

/** What a spreadsheet may run: written a second time, without the pattern that is tested. */
function mayRun(cell: string): boolean {
  if (/^[\t\r\n]/.test(cell)) return true
  const visible = [...cell].find((letter) => !/[\s\p{Cc}\p{Cf}]/u.test(letter))
  return visible !== undefined && '=+-@＝＋－＠'.includes(visible)
}

/** The cells of one line, read as RFC 4180 has it. */
function cellsOf(line: string): string[] {
  const cells = [...`,${line.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/gs)]
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}

it('lets no cell of any column begin like a formula', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 8 }), (row) => {
      const cells = cellsOf(csvLine(row))
      expect(cells).toHaveLength(row.length)
      expect(cells.filter(mayRun)).toEqual([])
    }),
  )
})

it('gives back the text of every cell', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 8 }), (row) => {
      expect(cellsOf(csvLine(row)).map(unescapeFormula)).toEqual(row)
    }),
  )
})

it('leaves alone what no spreadsheet runs', () => {
  for (const text of ['a=b', "it's", "'quoted'", '1-2', '', ' a', 'Ä'])
    expect([text, escapeFormula(text), unescapeFormula(text)]).toEqual([text, text, text])
})

it('writes quotes, separators and breaks so that they stay in their cell', () => {
  expect(csvLine(['a', 'b,c', 'd "e"', '=f', 'g\nh', '', 'i;=j'])).toBe(
    `"a","b,c","d ""e""","'=f","g\nh",,"i;=j"\r\n`,
  )
})
