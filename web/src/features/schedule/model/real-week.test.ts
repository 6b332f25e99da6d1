import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { expect, test } from 'vitest'
import { newSchedule } from './new-schedule.ts'
import { minuteOf, mondayOf, realWeek, takeoversOn } from './real-week.ts'

const document: ScheduleDocument = {
  ...newSchedule('day-and-night', 'Europe/Berlin'),
  specials: [
    {
      id: 'gala',
      name: 'Gala',
      at: '2026-11-27T23:00',
      durationMs: 7_200_000,
      source: 'library',
      start: 'hard',
    },
  ],
  overrides: [
    {
      ...{ id: 'fete', name: 'Fete', from: '2026-11-25', to: '2026-11-25' },
      blocks: [{ id: 'day', name: 'Fete', from: '10:00', to: '12:00', source: 'library' }],
    },
  ],
}
const textsOf = (date: string, monday = '2026-11-23') =>
  realWeek(document, monday)
    .find((day) => day.date === date)
    ?.pieces.map((piece) => {
      const { kind, item, from, to, isContinuation, isHardStart } = piece
      return `${kind} ${item.id} ${from}-${to}${isContinuation ? ' on' : ''}${isHardStart ? ' hard' : ''}`
    })

test('a week starts on Monday', () => {
  expect(mondayOf('2026-11-29')).toBe('2026-11-23')
  expect(mondayOf('2026-11-23')).toBe('2026-11-23')
  expect(mondayOf('2026-13-01')).toBeUndefined()
})

test('a date has the blocks of its weekday, also those of the night before', () => {
  expect(textsOf('2026-11-24')).toEqual([
    'block night 0-360 on',
    'block day 360-1320',
    'block night 1320-1440',
  ])
})

test('the blocks of a holiday replace those of the week', () => {
  expect(textsOf('2026-11-25')).toEqual(['block night 0-360 on', 'holiday day 600-720'])
  const [, , wednesday] = realWeek(document, '2026-11-23')
  expect(wednesday?.holiday?.name).toBe('Fete')
})

test('a special interrupts a block, over midnight', () => {
  expect(textsOf('2026-11-27')?.slice(-2)).toEqual(['block night 1320-1380', 'special gala 1380-1440 hard'])
  expect(textsOf('2026-11-28')?.slice(0, 2)).toEqual(['special gala 0-60 on', 'block night 60-360 on'])
})

test('a date on which the clock changes is placed by its local times', () => {
  expect(textsOf('2026-10-25', '2026-10-19')).toEqual([
    ...['block night 0-360 on', 'block day 360-1320', 'block night 1320-1440'],
  ])
  const sunday = realWeek(document, '2026-10-19').at(-1)
  expect(sunday && minuteOf(sunday, 'Europe/Berlin', Date.UTC(2026, 9, 25, 11))).toBe(12 * 60)
})

test('a takeover is shown on the dates that it touches', () => {
  const [monday, tuesday, wednesday] = realWeek(document, '2026-11-23')
  const late = { title: 'Late', startMs: Date.UTC(2026, 10, 23, 22), endMs: Date.UTC(2026, 10, 24, 0) }
  const noon = { title: 'Noon', startMs: Date.UTC(2026, 10, 23, 11), endMs: Date.UTC(2026, 10, 23, 12) }
  const on = (day: typeof monday) => day && takeoversOn(day, 'Europe/Berlin', [noon, late])
  expect(on(monday)).toMatchObject([
    { title: 'Noon', from: 12 * 60, to: 13 * 60 },
    { title: 'Late', from: 23 * 60, to: 1440 },
  ])
  expect(on(tuesday)).toMatchObject([{ title: 'Late', from: 0, to: 60 }])
  expect(on(wednesday)).toEqual([])
})
