import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayTitle, fromInputs, groupByDay, instantFrom, toInputs } from './air-log-time.ts'

const MINUTE_MS = 60_000
const instants = fc.integer({ min: Date.UTC(2001, 0), max: Date.UTC(2099, 0) })

it('turns an instant into what the inputs show, and back to its minute', () => {
  fc.assert(
    fc.property(instants, (epochMs) => {
      const shown = fromInputs(toInputs(epochMs))!
      // When clocks are put back an hour happens twice, and an input cannot say which one is meant.
      const awayMs = Math.abs(epochMs - shown)
      expect(awayMs % 3_600_000).toBeLessThan(MINUTE_MS)
      expect(toInputs(shown)).toEqual(toInputs(epochMs))
    }),
  )
})

it('reads no instant from inputs and URLs without one', () => {
  expect(fromInputs({ date: '', time: '21:40' })).toBeUndefined()
  expect(fromInputs({ date: '2026-02-30', time: '' })).toBeUndefined()
  for (const text of [null, '', '-1', '1e3', 'now', '1'.repeat(16)]) expect(instantFrom(text)).toBeUndefined()
  expect(instantFrom('1800000000000')).toBe(1_800_000_000_000)
})

it('keeps every entry, in order, under the day on which it began', () => {
  fc.assert(
    fc.property(fc.array(instants), (list) => {
      const entries = list.toSorted((a, b) => b - a).map((startedAtMs) => ({ startedAtMs }))
      const groups = groupByDay(entries)
      expect(groups.flatMap((group) => group.entries)).toEqual(entries)
      expect(new Set(groups.map(({ day }) => day)).size).toBe(groups.length)
    }),
  )
})

it('names the days that people name', () => {
  const nowMs = new Date(2026, 0, 1, 12).getTime()
  expect(dayTitle(nowMs, nowMs)).toMatch(/^Today, /)
  expect(dayTitle(new Date(2025, 11, 31, 23, 59).getTime(), nowMs)).toMatch(/^Yesterday, /)
  expect(dayTitle(new Date(2025, 11, 30).getTime(), nowMs)).toMatch(/2025$/)
})
