import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { expect, test } from 'vitest'
import { checkSchedule } from './check-schedule.ts'
import { exampleLibrary } from './testing/example-library.ts'
import { exampleSchedule } from './testing/example-schedule.ts'

const library = exampleLibrary(200)
const playlists = new Map([['', library.slice(0, 100).map(({ id }) => ({ itemId: id, videoId: id }))]])
const valid = exampleSchedule('Europe/Berlin')
const night = {
  id: 'night',
  name: 'Night',
  days: ['sun' as const],
  from: '22:00',
  to: '03:00',
  source: 'everything',
}
function problemsOf(change: Partial<ScheduleDocument>): string[] {
  const found = checkSchedule({ ...valid, ...change }, { library, playlists, nowMs: Date.UTC(2026, 10, 23) })
  return found.map(({ path, message }) => `${path}: ${message}`)
}

test('a correct document has no problems', () => {
  expect(problemsOf({})).toEqual([])
})

test('slots name the requests of viewers, by turns or by votes, without a source of that name', () => {
  const slots = [{ source: 'requests' }, { source: 'votes', fallback: 'classics' }]
  expect(problemsOf({ clocks: { ...valid.clocks, late: slots } })).toEqual([])
  expect(problemsOf({ defaultSource: 'votes' })).toEqual([
    '/defaultSource: There is no source named "votes".',
  ])
})

test.each<[string, Partial<ScheduleDocument>, string]>([
  [
    'time zone',
    { timeZone: 'Mars/Phobos' },
    '/timeZone: "Mars/Phobos" is not a known time zone. Example: Europe/Berlin.',
  ],
  ['default source', { defaultSource: 'gold' }, '/defaultSource: There is no source named "gold".'],
  [
    'inherited name',
    { defaultSource: 'constructor' },
    '/defaultSource: There is no source named "constructor".',
  ],
  [
    'clock without videos',
    { clocks: { ...valid.clocks, empty: [] } },
    '/clocks/empty: The clock "empty" has no slot with a source.',
  ],
  [
    'source of a slot',
    { clocks: { ...valid.clocks, late: [{ source: 'gold' }] } },
    '/clocks/late/0/source: There is no source named "gold".',
  ],
  [
    'block with both',
    { blocks: [{ ...night, clock: 'late' }] },
    '/blocks/0: Set either a clock or a source.',
  ],
  [
    'date that does not exist',
    { overrides: [{ id: 'x', from: '2026-02-30', to: '2026-03-01', blocks: [] }] },
    '/overrides/0/from: 2026-02-30 is not a date.',
  ],
  [
    'dates in the wrong order',
    { overrides: [{ id: 'x', from: '2026-03-02', to: '2026-03-01', blocks: [] }] },
    '/overrides/0/to: The last date is before the first one.',
  ],
  [
    'exclusion until a date that does not exist',
    { exclusions: [{ videoId: library[0]?.id ?? '', untilDate: '2026-11-31' }] },
    '/exclusions/0/untilDate: 2026-11-31 is not a date.',
  ],
  [
    'source of which every artist is excluded',
    { rules: { excludedArtists: [...new Set(library.map(({ artistName }) => artistName.toUpperCase()))] } },
    '/blocks/4: Every video of "list" is by an excluded artist.',
  ],
  [
    'source without results',
    { sources: { ...valid.sources, none: { kind: 'smart', where: { text: 'no such song' } } } },
    '/sources/none: No video of the library matches "none".',
  ],
])('%s', (_name, change, problem) => {
  expect(problemsOf(change)).toContain(problem)
})

test('a rule that a source cannot satisfy is reported with numbers', () => {
  const short: ScheduleDocument = {
    timeZone: 'UTC',
    defaultSource: 'gold',
    sources: { gold: { kind: 'smart', where: {} } },
    rules: { videoSeparationHours: { value: 3, strength: 'hard' } },
  }
  const videos = exampleLibrary(14).map((video) => ({ ...video, durationMs: 223_000 }))
  expect(checkSchedule(short, { library: videos, playlists, nowMs: 0 })).toEqual([
    {
      path: '/defaultSource',
      message:
        '"gold" has 14 videos, 52 minutes in total; 3 hours between airings of a video need at least 180 minutes.',
    },
  ])
})

test('at most 100 problems are listed', () => {
  const blocks = Array.from({ length: 300 }, (_, index) => ({ ...night, id: `b${index}`, source: 'nowhere' }))
  expect(problemsOf({ blocks })).toHaveLength(100)
})

test('sources may have at most 250,000 videos together', () => {
  const large = exampleLibrary(2600)
  const sources = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`s${index}`, { kind: 'smart' as const, where: {} }]),
  )
  const document = { timeZone: 'UTC', defaultSource: 's0', sources }
  expect(checkSchedule(document, { library: large, playlists, nowMs: 0 })).toEqual([
    {
      path: '/sources',
      message: 'The sources have more than 250000 videos together. Narrow some of them, or use fewer.',
    },
  ])
})
