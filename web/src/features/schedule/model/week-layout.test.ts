import { expect, test } from 'vitest'
import { type PlacedBlock, piecesOf, weekOf } from './week-layout.ts'

const block = (id: string, from: string, to: string, ...days: PlacedBlock['days']): PlacedBlock => ({
  id,
  from,
  to,
  days,
})
const textsOf = (blocks: PlacedBlock[], day: PlacedBlock['days'][number]) =>
  piecesOf(blocks, day).map(
    ({ block: { id }, startDay, from, to, column, columns }) =>
      `${id} ${startDay} ${from}-${to} ${column}/${columns}`,
  )

test('a block over midnight has a piece on both days, also from Sunday to Monday', () => {
  const night = block('night', '22:00', '05:00', 'sun')
  expect(textsOf([night], 'sun')).toEqual(['night sun 1320-1440 0/1'])
  expect(textsOf([night], 'mon')).toEqual(['night sun 0-300 0/1'])
})

test('a block of 24 hours from midnight has one piece, and one until midnight ends there', () => {
  expect(textsOf([block('day', '00:00', '24:00', 'mon')], 'mon')).toEqual(['day mon 0-1440 0/1'])
  expect(textsOf([block('late', '20:00', '00:00', 'mon')], 'tue')).toEqual([])
})

test('blocks that overlap are side by side, adjacent ones are not', () => {
  const blocks = [
    block('a', '08:00', '10:00', 'mon'),
    block('b', '09:00', '11:00', 'mon'),
    block('c', '10:00', '12:00', 'mon'),
    block('d', '12:00', '13:00', 'mon'),
  ]
  expect(textsOf(blocks, 'mon')).toEqual([
    'a mon 480-600 0/2',
    'b mon 540-660 1/2',
    'c mon 600-720 0/2',
    'd mon 720-780 0/1',
  ])
})

test('a week has the blocks of each of its days', () => {
  const week = weekOf([block('noon', '12:00', '13:00', 'mon', 'fri')])
  expect(week.filter(({ pieces }) => pieces.length > 0).map(({ day }) => day)).toEqual(['mon', 'fri'])
})
