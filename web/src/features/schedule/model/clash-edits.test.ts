import type { Block, OverrideBlock } from '@looptide/contracts/schedule'
import { expect, test } from 'vitest'
import { findClashes, withoutClashes } from './clash-edits.ts'
import { ALL_DAYS } from './times.ts'

const block = (name: string, from: string, to: string, days: readonly Block['days'][number][]): Block => ({
  ...{ id: name.toLowerCase(), name, days: [...days], from, to },
  source: 'all',
})
const placesOf = (blocks: readonly Block[]) =>
  blocks.map(({ id, days, from, to }) => `${id} ${days.length === 7 ? 'daily' : days.join()} ${from}-${to}`)

const day = block('Day', '06:00', '22:00', ALL_DAYS)
const night = block('Night', '22:00', '06:00', ALL_DAYS)
const late = block('Late', '20:00', '23:00', ['fri', 'sat'])

test('blocks without a clash have none', () => {
  expect(findClashes([day, night], undefined)).toEqual([])
})

test('a clash names both blocks with their hours and the days', () => {
  expect(findClashes([day, late], undefined).map(({ text }) => text)).toEqual([
    'Late (8:00 PM–11:00 PM) overlaps Day (6:00 AM–10:00 PM) on Fri, Sat.',
  ])
})

test('the block that starts earlier is shortened to the start of the other one, on the days of the clash only', () => {
  const [clash] = findClashes([day, { ...late, days: [...ALL_DAYS] }], undefined)
  expect(clash?.shorten?.label).toBe('Shorten Day to 8:00 PM')
  expect(placesOf(clash?.shorten?.apply([day, late]) ?? [])).toEqual([
    'day daily 06:00-20:00',
    'late fri,sat 20:00-23:00',
  ])
  const [some] = findClashes([day, late], undefined)
  expect(some?.shorten?.label).toBe('Shorten Day to 8:00 PM on Fri, Sat')
  expect(placesOf(some?.shorten?.apply([day, late]) ?? [])).toEqual([
    'day mon,tue,wed,thu,sun 06:00-22:00',
    'day-2 fri,sat 06:00-20:00',
    'late fri,sat 20:00-23:00',
  ])
})

test('every edit of a clash ends it', () => {
  for (const blocks of [
    [day, late],
    [late, day],
    [night, late],
    [night, block('Early', '02:00', '08:00', ['mon'])],
    [day, block('Noon', '12:00', '14:00', ['sun'])],
    [block('Noon', '12:00', '14:00', ['sun']), block('Lunch', '12:00', '13:00', ['sun'])],
  ]) {
    const [clash] = findClashes(blocks, undefined)
    if (clash?.shorten === undefined) throw new Error('the clash has no edit')
    expect(findClashes(clash.shorten.apply(blocks), undefined), clash.shorten.label).toEqual([])
    expect(findClashes(clash.replace.apply(blocks), undefined), clash.replace.label).toEqual([])
  }
})

test('the block that the last change has placed keeps its hours', () => {
  const before = [block('Day', '06:00', '19:00', ['fri']), late]
  const now = [block('Day', '06:00', '22:00', ['fri']), late]
  const [clash] = findClashes(now, before)
  expect(clash).toMatchObject({
    isNew: true,
    replace: { label: 'Replace Late', removed: 'Late, Friday' },
    shorten: { label: 'Start Late at 10:00 PM on Friday' },
  })
  expect(findClashes(now, now)[0]).toMatchObject({ isNew: false, replace: { label: 'Replace Day' } })
})

test('blocks with the same hours can only be replaced', () => {
  const same = [late, { ...late, id: 'gold', name: 'Gold' }]
  expect(findClashes(same, undefined)).toMatchObject([
    { shorten: undefined, replace: { label: 'Replace Late' } },
  ])
})

const hours = (blocks: readonly OverrideBlock[]) => blocks.map(({ id, from, to }) => `${id} ${from}-${to}`)
const ofDay = ({ days: _days, ...rest }: Block): OverrideBlock => rest

test('blocks of a day that overlap become those that air, one after the other', () => {
  const noon = ofDay(block('Noon', '12:00', '14:00', []))
  expect(hours(withoutClashes([ofDay(day), noon, ofDay(night)]))).toEqual([
    'day 06:00-12:00',
    'noon 12:00-14:00',
    'day-2 14:00-22:00',
    'night 22:00-06:00',
  ])
  expect(hours(withoutClashes([ofDay(night), ofDay(late)]))).toEqual([
    'late 20:00-22:00',
    'night 22:00-06:00',
  ])
})

test('an exact start belongs to the first part of a block only, and blocks without a clash stay as they are', () => {
  const exact: OverrideBlock = { ...ofDay(day), start: 'hard' }
  const parts = withoutClashes([exact, ofDay(block('Noon', '12:00', '14:00', []))])
  expect(parts.map(({ start }) => start)).toEqual(['hard', undefined, undefined])
  expect(withoutClashes([exact, ofDay(night)])).toEqual([exact, ofDay(night)])
})
