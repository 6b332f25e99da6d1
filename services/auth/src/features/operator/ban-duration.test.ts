import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readBanDuration } from './ban-duration.ts'

it.each([
  ['none', 0],
  ['0', 0],
  ['0s', 0],
  ['300ms', 300],
  ['2h45m', 9_900_000],
  ['1.5h', 5_400_000],
  ['.5s', 500],
  ['876000h', 3_153_600_000_000],
])('%s is %d ms', (text, ms) => {
  expect(readBanDuration(text)).toBe(ms)
})

it.each(['', '1', '1d', '-1h', '1h ', 'h', '1h2', '99999999h', '1e3s', 'NONE'])(
  '%j is not a duration',
  (text) => {
    expect(readBanDuration(text)).toBeUndefined()
  },
)

it('never parses a text as a negative or infinite duration', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.hmsnuµ-+e ') }), (text) => {
      const ms = readBanDuration(text)
      return ms === undefined || (ms >= 0 && Number.isFinite(ms))
    }),
  )
})
