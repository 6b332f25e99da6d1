import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inPortions, readUrlLines } from './url-lines.ts'

it('reads one address per line and drops what is blank', () => {
  expect(readUrlLines(' https://a \n\n\thttps://b\r\n')).toEqual({ urls: ['https://a', 'https://b'] })
})

it('tells an empty box from one without an address', () => {
  expect(readUrlLines('')).toMatchObject({ problem: { title: 'Missing information' } })
  expect(readUrlLines(' \n \n')).toMatchObject({ problem: { title: 'No valid URLs' } })
})

it('loses nothing in portions, and makes none too large', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 9 }), (items, size) => {
      const portions = inPortions(items, size)
      expect(portions.flat()).toEqual(items)
      for (const portion of portions) {
        expect(portion.length).toBeGreaterThan(0)
        expect(portion.length).toBeLessThanOrEqual(size)
      }
    }),
  )
})
