import type { Special } from '@looptide/contracts/schedule'
import { expect, test } from 'vitest'
import { nextMonday, withExclusion } from './exclusions.ts'
import { newSchedule } from './new-schedule.ts'
import { blocksOfDay, repeatOn, specialsOn, weeklyAfter } from './specials.ts'

const special: Special = {
  id: 'premiere',
  name: 'Premiere',
  at: '2026-12-25T20:00',
  durationMs: 3_600_000,
  source: 'playlist',
}
const document = newSchedule('day-and-night', 'UTC')

test('a special is repeated on the same weekday of the next weeks, over the end of a year', () => {
  expect(weeklyAfter(special, 2)).toEqual(['2027-01-01', '2027-01-08'])
  const repeated = repeatOn([special], special, weeklyAfter(special, 2))
  expect(repeated.map(({ id, at }) => `${id} ${at}`)).toEqual([
    'premiere 2026-12-25T20:00',
    'premiere-2 2027-01-01T20:00',
    'premiere-3 2027-01-08T20:00',
  ])
})

test('a date has the holiday that covers it and the specials that start on it', () => {
  const holiday = { id: 'christmas', from: '2026-12-24', to: '2026-12-26', blocks: [] }
  const early = { ...special, id: 'early', at: '2026-12-25T08:00' }
  const found = specialsOn({ ...document, overrides: [holiday], specials: [special, early] }, '2026-12-25')
  expect(found.override).toBe(holiday)
  expect(found.specials.map(({ id }) => id)).toEqual(['early', 'premiere'])
  expect(specialsOn({ ...document, overrides: [holiday] }, '2026-12-27').override).toBeUndefined()
})

test('a holiday can start with the blocks of a weekday, without their days', () => {
  const blocks = blocksOfDay([...(document.blocks ?? [])], 'sun')
  expect(blocks.map(({ id, days }) => [id, days])).toEqual([
    ['day', undefined],
    ['night', undefined],
  ])
})

test('a song is excluded until the Monday after this week, and only once', () => {
  expect(['2026-11-23', '2026-11-29', '2026-12-31'].map(nextMonday)).toEqual([
    '2026-11-30',
    '2026-11-30',
    '2027-01-04',
  ])
  const videoId = '00000000-0000-7000-8000-000000000000'
  const once = withExclusion(document, { videoId, untilDate: '2026-11-30' })
  expect(withExclusion(once, { videoId, untilDate: '2026-12-07' }).exclusions).toEqual([
    { videoId, untilDate: '2026-12-07' },
  ])
})
