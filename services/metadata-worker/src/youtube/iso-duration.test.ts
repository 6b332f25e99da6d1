import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseIsoDuration } from './iso-duration.ts'

it.each([
  ['PT3M33S', 213_000],
  ['PT1H2M3S', 3_723_000],
  ['PT45S', 45_000],
  ['PT2H', 7_200_000],
  ['P1DT2S', 86_402_000],
  ['PT1M30.5S', 90_000],
  ['P0D', null],
  ['PT', null],
  ['', null],
  ['3:33', null],
  ['PT3M33', null],
  ['xPT3M33S', null],
])('parses %j as %j ms', (text, ms) => {
  expect(parseIsoDuration(text)).toBe(ms)
})

it('parses every formatted duration', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(23), fc.nat(59), fc.integer({ min: 1, max: 59 }), (d, h, m, s) => {
      const text = `P${d > 0 ? `${d}D` : ''}T${h > 0 ? `${h}H` : ''}${m > 0 ? `${m}M` : ''}${s}S`
      expect(parseIsoDuration(text)).toBe((((d * 24 + h) * 60 + m) * 60 + s) * 1000)
    }),
  )
})
