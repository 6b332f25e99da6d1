import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CATEGORY_CHOICES, listParameters, MAX_TEXT, readListQuery, SORTS } from './list-query.ts'

const queries = fc.record({
  q: fc.string({ maxLength: MAX_TEXT }).map((text) => text.trim()),
  sort: fc.constantFrom(...SORTS.map(({ value }) => value)),
  category: fc.constantFrom(...CATEGORY_CHOICES.map(({ value }) => value)),
})

it('reads from an address what was written into it', () => {
  fc.assert(
    fc.property(queries, ({ q, sort, category }) => {
      const params = { sort, ...(q && { q }), ...(category && { category }) }
      expect(readListQuery(new URLSearchParams(listParameters(params)))).toEqual(params)
    }),
  )
})

it('asks the server only for what it knows, whatever the address says', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (q, sort, category) => {
      const params = readListQuery(new URLSearchParams({ q, sort, category }))
      expect(SORTS.some(({ value }) => value === params.sort)).toBe(true)
      expect(CATEGORY_CHOICES.some(({ value }) => value === (params.category ?? ''))).toBe(true)
      expect(params.q?.length ?? 1).toBeGreaterThan(0)
      expect(params.q?.length ?? 1).toBeLessThanOrEqual(MAX_TEXT)
    }),
  )
})
