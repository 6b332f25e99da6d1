import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor, toPage } from './cursor.ts'

describe('a cursor', () => {
  it('is decoded to the values that were encoded', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), (text, number) => {
        expect(decodeCursor(encodeCursor([text, number]), ['string', 'number'])).toEqual([text, number])
      }),
    )
  })

  it('is refused if it is another text or has values of other types', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor(text, ['string', 'number'])).toThrow(
          expect.objectContaining({ code: 'invalid_cursor' }),
        )
      }),
    )
    for (const key of [['a'], ['a', 'b'], ['a', 1, 2], ['a', 1e300]]) {
      expect(() => decodeCursor(encodeCursor(key), ['string', 'number'])).toThrow('cursor')
    }
  })
})

it('a page has at most `limit` rows and the cursor of the last one', () => {
  const key = (row: number): [number] => [row]
  const present = (row: number): string => `#${row}`
  expect(toPage([1, 2, 3], 2, present, key)).toEqual({ items: ['#1', '#2'], nextCursor: encodeCursor([2]) })
  expect(toPage([1, 2], 2, present, key)).toEqual({ items: ['#1', '#2'], nextCursor: null })
  expect(toPage([], 2, present, key)).toEqual({ items: [], nextCursor: null })
})
