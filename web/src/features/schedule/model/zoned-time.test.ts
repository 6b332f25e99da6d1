import { expect, test } from 'vitest'
import { addDays, dateIn, daysBetween, instantOf, timeIn } from './zoned-time.ts'

test('a local time is converted to its instant and back, also on the day of a clock change', () => {
  const instantMs = instantOf('Europe/Berlin', '2026-10-25', '20:00')
  expect(new Date(instantMs).toISOString()).toBe('2026-10-25T19:00:00.000Z')
  expect([dateIn('Europe/Berlin', instantMs), timeIn('Europe/Berlin', instantMs)]).toEqual([
    '2026-10-25',
    '20:00',
  ])
})

test('days are added and counted over the end of a month; an unreadable date is unchanged', () => {
  expect(addDays('2026-11-29', 3)).toBe('2026-12-02')
  expect(addDays('', 3)).toBe('')
  expect(daysBetween('2026-11-29', '2026-12-02')).toBe(3)
  expect([daysBetween('2026-12-02', '2026-11-29'), daysBetween('', '2026-11-29')]).toEqual([0, 0])
})
