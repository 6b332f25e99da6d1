import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CATEGORY_CHOICES, listParameters, listWishOf, MAX_TEXT, SORTS } from './list-query.ts'

const wishes = fc.record({
  q: fc.string({ maxLength: MAX_TEXT }).map((text) => text.trim()),
  sort: fc.constantFrom(...SORTS.map(({ value }) => value)),
  category: fc.constantFrom(...CATEGORY_CHOICES.map(({ value }) => value)),
})

it('reads from an address what was written into it', () => {
  fc.assert(
    fc.property(wishes, ({ q, sort, category }) => {
      const wish = { sort, ...(q && { q }), ...(category && { category }) }
      expect(listWishOf(new URLSearchParams(listParameters(wish)))).toEqual(wish)
    }),
  )
})

it('asks the server only for what it knows, whatever the address says', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (q, sort, category) => {
      const wish = listWishOf(new URLSearchParams({ q, sort, category }))
      expect(SORTS.some(({ value }) => value === wish.sort)).toBe(true)
      expect(CATEGORY_CHOICES.some(({ value }) => value === (wish.category ?? ''))).toBe(true)
      expect(wish.q?.length ?? 1).toBeGreaterThan(0)
      expect(wish.q?.length ?? 1).toBeLessThanOrEqual(MAX_TEXT)
    }),
  )
})
