import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor, toPage } from './cursor.ts'

describe('a cursor', () => {
  it('comes back as it went', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), (text, number) => {
        expect(decodeCursor(encodeCursor([text, number]), ['string', 'number'])).toEqual([text, number])
      }),
    )
  })

  it('that is not ours is refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor(text, ['string', 'number'])).toThrow(
          expect.objectContaining({ code: 'invalid_cursor' }),
        )
      }),
    )
    for (const key of [['a'], ['a', 'b'], ['a', 1, 2]]) {
      expect(() => decodeCursor(encodeCursor(key), ['string', 'number'])).toThrow('cursor')
    }
  })
})

it('a page is cut where the next begins', () => {
  const key = (row: number): [number] => [row]
  const present = (row: number): string => `#${row}`
  expect(toPage([1, 2, 3], 2, present, key)).toEqual({ items: ['#1', '#2'], nextCursor: encodeCursor([2]) })
  expect(toPage([1, 2], 2, present, key)).toEqual({ items: ['#1', '#2'], nextCursor: null })
  expect(toPage([], 2, present, key)).toEqual({ items: [], nextCursor: null })
})
