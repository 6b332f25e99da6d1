import type { PreviewProgramme } from '@looptide/contracts/http/schedules'
import { expect, test } from 'vitest'
import { newSchedule } from './new-schedule.ts'
import { placeOf, problemsAt } from './problem-place.ts'
import { programmeTitle, reasonText, slotText, sourceText } from './sentences.ts'

const document = newSchedule('day-and-night', 'UTC')
const programme: PreviewProgramme = {
  startsAt: '2026-11-27T20:00:00Z',
  endsAt: '2026-11-27T20:04:00Z',
  kind: 'video',
  ident: null,
  videoId: '00000000-0000-7000-8000-000000000000',
  title: 'Thriller',
  artistName: 'Michael Jackson',
  cut: false,
  reason: { blockId: 'day', specialId: null, slot: 1, source: 'playlist', number: 3, count: 4, relaxed: [] },
}

test.each<[string, Partial<PreviewProgramme>]>([
  ['Day: third of four from playlist', {}],
  ['Day: from playlist', { reason: { ...programme.reason, number: 1, count: 1 } }],
  ['Day: third of four from playlist, cut short for the next start', { cut: true }],
  ['Outside blocks: from playlist', { reason: { ...programme.reason, blockId: null, number: null } }],
  ['Playlist: planned without a schedule', { reason: { ...programme.reason, blockId: null, source: null } }],
  [
    'Day: from Requests by turns',
    { reason: { ...programme.reason, source: 'requests', number: 1, count: 1 } },
  ],
  ['Day: ident', { kind: 'ident', ident: 'station', reason: { ...programme.reason, source: null } }],
  ['Day: countdown to the next start', { kind: 'countdown', reason: { ...programme.reason, source: null } }],
])('the reason of a programme is “%s”', (text, change) => {
  expect(reasonText(document, { ...programme, ...change })).toBe(text)
})

test('cards are named by their kind', () => {
  expect(programmeTitle({ ...programme, kind: 'ident', ident: 'next', title: null })).toBe('Coming up next')
  expect(programmeTitle({ ...programme, kind: 'countdown', title: null })).toBe('Countdown')
})

test('slots and sources are described in a few words', () => {
  const sources = ['gold', 'all']
  expect(slotText({ source: 'gold', count: 2, fallback: 'all' }, sources)).toBe('2 × gold, else all')
  expect(slotText({ source: 'gold', durationMs: 900_000 }, sources)).toBe('gold for 15 min')
  expect(slotText({ ident: 'station', durationMs: 8000 }, sources)).toBe('Station ident, 8 s')
  expect(slotText({ source: 'requests' }, sources)).toBe('1 × Requests by turns')
  expect(slotText({ source: 'votes', durationMs: 900_000 }, sources)).toBe('Requests by votes for 15 min')
  expect(slotText({ source: 'votes' }, [...sources, 'votes'])).toBe('1 × votes')
  const name = (id: string) => id.toUpperCase()
  expect(sourceText({ kind: 'playlist', channelId: 'chart' }, name)).toBe('Playlist of CHART')
  expect(
    sourceText({ kind: 'smart', where: { genres: ['Jazz', 'Soul'], maxDurationMs: 300_000 } }, name),
  ).toBe('Videos: genre Jazz or Soul, at most 5 min')
  expect(sourceText({ kind: 'smart', where: {} }, name)).toBe('All videos in the library')
})

test('a problem leads to the tab of its part', () => {
  const place = (path: string) => placeOf(document, { path, message: '' })
  expect(place('/blocks/1/source')).toEqual({ tab: 'week', what: 'Night' })
  expect(place('/clocks/day/0/source')).toEqual({ tab: 'clocks', what: 'Clock day' })
  expect(place('/defaultSource')).toEqual({ tab: 'rules', what: 'Default source' })
  const problems = [
    { path: '/blocks/1', message: 'a' },
    { path: '/blocks/1/clock', message: 'b' },
    { path: '/blocks/10', message: 'c' },
  ]
  expect(problemsAt(problems, '/blocks/1')).toEqual(['a', 'b'])
})
