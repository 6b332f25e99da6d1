import type { Block, OverrideBlock, ScheduleDocument, Special } from '@looptide/contracts/schedule'
import { expect, test } from 'vitest'
import { clashProblems } from './clash-problems.ts'
import { exampleSchedule } from './testing/example-schedule.ts'

const valid = exampleSchedule('Europe/Berlin')
const block = (name: string, from: string, to: string, ...days: Block['days']): Block => ({
  ...{ id: name, name, days, from, to },
  source: 'everything',
})
const problemsOf = (change: Partial<ScheduleDocument>): string[] =>
  clashProblems({ ...valid, ...change }).map(({ path, message }) => `${path}: ${message}`)

test('blocks and specials that follow each other have no problems', () => {
  expect(problemsOf({})).toEqual([])
})

test.each<[string, Block[], string]>([
  [
    'over the end of the week',
    [block('Night', '22:00', '03:00', 'sun'), block('Early', '02:00', '06:00', 'mon')],
    '/blocks/1: "Early" overlaps "Night" from 02:00 to 03:00 on Monday.',
  ],
  [
    'through the end of the week',
    [block('Night', '22:00', '03:00', 'sun'), block('Late', '23:00', '02:00', 'sun')],
    '/blocks/1: "Late" overlaps "Night" from 23:00 to 02:00 on Sunday.',
  ],
  [
    'on some days',
    [block('Day', '06:00', '22:00', 'mon', 'wed', 'fri'), block('Late', '20:00', '22:00', 'mon', 'fri')],
    '/blocks/1: "Late" overlaps "Day" from 20:00 to 22:00 on Monday and Friday.',
  ],
  [
    'until midnight every day',
    [
      block('All', '00:00', '24:00', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'),
      block('Late', '20:00', '24:00', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'),
    ],
    '/blocks/1: "Late" overlaps "All" from 20:00 to 24:00 every day.',
  ],
])('blocks that overlap %s are named with times and days', (_name, blocks, problem) => {
  expect(problemsOf({ blocks })).toEqual([problem])
})

test('a block that overlaps several others is one problem', () => {
  const days = ['tue' as const]
  const blocks = [
    block('A', '08:00', '10:00', ...days),
    block('B', '10:00', '12:00', ...days),
    block('C', '09:00', '11:00', ...days),
  ]
  expect(problemsOf({ blocks })).toEqual(['/blocks/2: "C" overlaps "A" from 09:00 to 10:00 on Tuesday.'])
})

test('blocks of a holiday that overlap are named with times', () => {
  const { days: _days, ...day } = block('Day', '06:00', '22:00', 'mon')
  const blocks: OverrideBlock[] = [day, { ...day, id: 'late', name: 'Late', from: '21:30', to: '23:00' }]
  const overrides = [{ id: 'xmas', from: '2026-12-24', to: '2026-12-26', blocks }]
  expect(problemsOf({ overrides })).toEqual([
    '/overrides/0/blocks/1: "Late" overlaps "Day" from 21:30 to 22:00.',
  ])
})

test('specials that overlap are named with date and times', () => {
  const gala: Special = {
    ...{ id: 'gala', name: 'Gala', at: '2026-11-27T20:00', durationMs: 7_200_000 },
    source: 'everything',
  }
  expect(
    problemsOf({ specials: [gala, { ...gala, id: 'ball', name: 'Ball', at: '2026-11-27T21:00' }] }),
  ).toEqual(['/specials/1: "Ball" overlaps "Gala" on 2026-11-27 from 21:00 to 22:00.'])
})
