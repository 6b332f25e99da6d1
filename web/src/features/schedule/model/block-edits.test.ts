import type { Block } from '@looptide/contracts/schedule'
import { expect, test } from 'vitest'
import { copyDay, moveBlock, putBlock, removeFromDays, replacedByCopy, resizeBlock } from './block-edits.ts'

const night: Block = {
  id: 'night',
  name: 'Night',
  days: ['mon', 'tue'],
  from: '22:00',
  to: '05:00',
  source: 'all',
}
const noon: Block = { id: 'noon', name: 'Noon', days: ['wed'], from: '12:00', to: '13:00', source: 'all' }
const blocks = [night, noon]

const placesOf = (changed: readonly Block[]) =>
  changed.map(({ id, days, from, to }) => `${id} ${days.join()} ${from}-${to}`)

test('a move within the day moves the block on all its days and keeps its length', () => {
  expect(placesOf(moveBlock(blocks, { blockId: 'night', day: 'tue' }, 'tue', 21 * 60))).toEqual([
    'night mon,tue 21:00-04:00',
    'noon wed 12:00-13:00',
  ])
})

test('a move before midnight wraps to the end of the day', () => {
  const moved = moveBlock(
    [{ ...noon, from: '00:00', to: '01:00' }],
    { blockId: 'noon', day: 'wed' },
    'wed',
    -15,
  )
  expect(placesOf(moved)).toEqual(['noon wed 23:45-00:45'])
})

test('a move to another day at the same time replaces the day only', () => {
  expect(placesOf(moveBlock(blocks, { blockId: 'night', day: 'tue' }, 'sat', 22 * 60))[0]).toBe(
    'night mon,sat 22:00-05:00',
  )
})

test('a move to another day and time splits the day off, with an id of its own', () => {
  expect(placesOf(moveBlock(blocks, { blockId: 'night', day: 'tue' }, 'sat', 20 * 60))).toEqual([
    'night mon 22:00-05:00',
    'night-2 sat 20:00-03:00',
    'noon wed 12:00-13:00',
  ])
})

test('a block with one day keeps its id when day and time change', () => {
  expect(placesOf(moveBlock([noon], { blockId: 'noon', day: 'wed' }, 'thu', 0))).toEqual([
    'noon thu 00:00-01:00',
  ])
})

test.each([
  [{ to: 13 * 60 + 30 }, '12:00-13:30'],
  [{ to: 11 * 60 }, '12:00-12:15'],
  [{ from: 13 * 60 }, '12:45-13:00'],
  [{ from: -30 }, '00:00-13:00'],
  [{ to: 24 * 60 }, '12:00-24:00'],
  [{ to: 60 * 60 }, '12:00-12:00'],
])('a resize to %o gives %s: 15 minutes at least, 24 hours at most', (change, times) => {
  expect(placesOf(resizeBlock([noon], 'noon', change))).toEqual([`noon wed ${times}`])
})

test('a copied day replaces the blocks of the other days and keeps those of days that are not chosen', () => {
  const monday: Block = { ...noon, id: 'monday', days: ['mon'] }
  expect(placesOf(copyDay([night, noon, monday], 'mon', ['mon', 'tue', 'wed']))).toEqual([
    'night mon,tue,wed 22:00-05:00',
    'monday mon,tue,wed 12:00-13:00',
  ])
})

test('a copied day names the blocks that it takes from other days', () => {
  const monday: Block = { ...noon, id: 'monday', days: ['mon'] }
  expect(replacedByCopy([night, noon, monday], 'mon', ['tue', 'wed'])).toEqual([
    { block: noon, days: ['wed'] },
  ])
})

test('a block is removed from a day, and from the document with its last one', () => {
  expect(placesOf(removeFromDays(blocks, ['tue'], 'night'))[0]).toBe('night mon 22:00-05:00')
  expect(placesOf(removeFromDays(blocks, ['wed'], 'noon'))).toEqual(['night mon,tue 22:00-05:00'])
})

test('a saved block replaces the one with its id, or is added', () => {
  expect(putBlock(blocks, { ...noon, name: 'Lunch' }).map(({ name }) => name)).toEqual(['Night', 'Lunch'])
  expect(putBlock(blocks, { ...noon, id: 'new' })).toHaveLength(3)
})
