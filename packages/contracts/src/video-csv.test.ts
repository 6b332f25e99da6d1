import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvLine, guardCell, unguardCell } from './video-csv.ts'

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.constantFrom("'", "''", '', '\t'), fc.constantFrom('=1+1', '+1', '-1', '@a', 'a'))
    .map((parts) => parts.join('')),
)

it('lets no cell begin like a formula', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(guardCell(text)).not.toMatch(/^[=+\-@\t\r\n]/)
    }),
  )
})

it('takes away exactly what it put there', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(unguardCell(guardCell(text))).toBe(text)
    }),
  )
})

it('writes quotes, commas and breaks so that they stay in their cell', () => {
  expect(csvLine(['a', 'b,c', 'd "e"', '=f', 'g\nh'])).toBe(`a,"b,c","d ""e""",'=f,"g\nh"\r\n`)
})
