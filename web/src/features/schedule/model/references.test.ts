import { expect, test } from 'vitest'
import { newSchedule } from './new-schedule.ts'
import { renameClock, renameSource, usesOfClock, usesOfSource } from './references.ts'

const document = newSchedule('day-and-night', 'UTC')

test('lists where a source and a clock are used', () => {
  expect(usesOfSource(document, 'playlist')).toEqual(['default source', 'clock day'])
  expect(usesOfSource(document, 'library')).toEqual(['clock day', 'Night'])
  expect(usesOfClock(document, 'day')).toEqual(['Day'])
})

test('a renamed source or clock is renamed wherever it is used', () => {
  const renamed = renameClock(renameSource(document, 'library', 'gold'), 'day', 'mix')
  expect(usesOfSource(renamed, 'library')).toEqual([])
  expect(usesOfSource(renamed, 'gold')).toEqual(['clock mix', 'Night'])
  expect(usesOfClock(renamed, 'mix')).toEqual(['Day'])
  expect(Object.keys(renamed.sources)).toEqual(['playlist', 'gold'])
})
