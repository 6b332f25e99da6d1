import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  DEFAULT_DURATION_MS,
  formatDuration,
  formatPosition,
  parseDuration,
  parsePosition,
} from './duration.ts'

test.each([
  ['0:00', 0],
  ['4:00', 240_000],
  ['3:07', 187_000],
  ['75:30', 4_530_000],
  ['1:02:03', 3_723_000],
  [' 4:05 ', 245_000],
])('%s is parsed', (text, expected) => {
  expect(parseDuration(text)).toBe(expected)
})

test.each(['', '4', '4:5', '4:60', ':30', '-1:00', '1:2:03', '1:60:00', '4:00.5', 'live', '1:1:1:1'])(
  '"%s" is refused',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)

test('a formatted duration is parsed to the same value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400_000 }), (seconds) => {
      expect(parseDuration(formatDuration(seconds * 1000))).toBe(seconds * 1000)
    }),
  )
})

test('an hour or more shows hours, minutes with two digits', () => {
  expect(formatDuration(59_600)).toBe('1:00')
  expect(formatDuration(3_600_000)).toBe('1:00:00')
  expect(formatDuration(3_599_000)).toBe('59:59')
})

test('the default duration is 4:00', () => {
  expect(formatDuration(DEFAULT_DURATION_MS)).toBe('4:00')
})

test.each([
  ['0:10', 10_000],
  ['0:10.5', 10_500],
  ['1:02:03,045', 3_723_045],
])('the position %s is parsed', (text, expected) => {
  expect(parsePosition(text)).toBe(expected)
})

test.each(['', '10', '0:10.', '0:10.1234', '0:60.0', 'end'])('the position "%s" is refused', (text) => {
  expect(parsePosition(text)).toBeUndefined()
})

test('a formatted position is exact to the millisecond', () => {
  expect(formatPosition(61_500)).toBe('1:01.500')
  fc.assert(
    fc.property(fc.nat(400_000_000), (positionMs) => {
      expect(parsePosition(formatPosition(positionMs))).toBe(positionMs)
    }),
  )
})
