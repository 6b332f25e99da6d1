import { expect, test } from 'vitest'
import { freePlace } from './free-hours.ts'
import { ALL_DAYS } from './times.ts'

const wanted = { days: ALL_DAYS, from: '20:00', to: '22:00' }
const daily = (from: string, to: string) => ({ days: [...ALL_DAYS], from, to })

test('a new block has the hours that are wanted if they are free', () => {
  expect(freePlace([daily('22:00', '06:00')], wanted)).toEqual(wanted)
})

test('a new block starts in the first free hours of all its days', () => {
  expect(freePlace([daily('18:00', '04:00')], wanted)).toEqual({ ...wanted, from: '04:00', to: '06:00' })
})

test('a new block is on the days that have room', () => {
  const days = ALL_DAYS.filter((day) => day !== 'sat')
  expect(freePlace([{ ...daily('00:00', '24:00'), days }], wanted)).toEqual({ ...wanted, days: ['sat'] })
})

test('a new block is shorter where there is no room for its length', () => {
  const almost = [daily('06:00', '22:00'), daily('22:00', '05:00')]
  expect(freePlace(almost, wanted)).toEqual({ ...wanted, from: '05:00', to: '06:00' })
})

test('a new block of a week without free hours has the hours that are wanted', () => {
  expect(freePlace([daily('06:00', '22:00'), daily('22:00', '06:00')], wanted)).toEqual(wanted)
})
