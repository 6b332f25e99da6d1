import fc from 'fast-check'
import { expect, it } from 'vitest'
import { truncateJson } from './truncate-json.ts'

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

it('never exceeds its limit, and does not change a value that fits', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 32, max: 2000 }), (value, maxBytes) => {
      const fitted = truncateJson(value, maxBytes)
      expect(bytesOf(fitted)).toBeLessThanOrEqual(maxBytes)
      if (bytesOf(value) <= maxBytes) expect(fitted).toBe(value)
    }),
    { numRuns: 2000 },
  )
})

it('adds the number of omitted items to a long list, and keeps the short values beside it', () => {
  const urls = Array.from({ length: 500 }, (_, index) => `https://example.org/${index}/${'x'.repeat(6000)}`)
  const fitted = truncateJson({ category: 'Music', urls, added: 500 }, 49_152) as Record<string, unknown[]>
  expect(fitted).toMatchObject({ category: 'Music', added: 500 })
  const kept = fitted.urls ?? []
  expect(kept.length).toBeGreaterThan(5)
  expect(kept.at(-1)).toEqual({ leftOut: 500 - (kept.length - 1) })
})

it('keeps thousands of ids and adds the number of the others', () => {
  const ids = Array.from({ length: 10_000 }, () => crypto.randomUUID())
  const kept = truncateJson(ids, 49_152) as unknown[]
  expect(kept.length).toBeGreaterThan(1200)
  expect(kept.slice(0, -1)).toEqual(ids.slice(0, kept.length - 1))
  expect(kept.at(-1)).toEqual({ leftOut: 10_000 - (kept.length - 1) })
})
