import fc from 'fast-check'
import { expect, test } from 'vitest'
import { documentProblems, normaliseDocument } from './document-problems.ts'
import { exampleSchedule } from './testing/example-schedule.ts'

const complete = exampleSchedule('Europe/Berlin')

test('a valid document has no problems', () => {
  expect(documentProblems(complete, 'complete')).toEqual([])
})

test('a draft may leave out fields, a complete document may not', () => {
  expect(documentProblems({}, 'draft')).toEqual([])
  expect(documentProblems({}, 'complete')).toEqual(
    ['timeZone', 'defaultSource', 'sources'].map((name) => ({
      path: `/${name}`,
      message: 'This field is missing.',
    })),
  )
})

const cases: [name: string, change: object, path: string, message: string][] = [
  ['an unknown field', { colour: 'red' }, '/colour', 'There is no field "colour" here.'],
  [
    'an invalid time',
    { blocks: [{ id: 'a', name: 'A', days: ['mon'], from: '25:00', to: '06:00', source: 'list' }] },
    '/blocks/0/from',
    'Must be a time such as 20:00.',
  ],
  [
    'an unknown day',
    { blocks: [{ id: 'a', name: 'A', days: ['monday'], from: '05:00', to: '06:00', source: 'list' }] },
    '/blocks/0/days/0',
    'Must be one of: mon, tue, wed, thu, fri, sat, sun.',
  ],
  [
    'a kind of source that does not exist',
    { sources: { list: { kind: 'tape' } } },
    '/sources/list',
    'Its kind must be one of: smart, playlist, video, airings, filler.',
  ],
  [
    'a category that does not exist',
    { sources: { list: { kind: 'smart', where: { categories: ['Polka'] } } } },
    '/sources/list/where/categories/0',
    'Must be one of: Must Watch, New Video Submissions, Classics, YouTube Playlist.',
  ],
  [
    'a name with a slash',
    { sources: { 'a/b': { kind: 'playlist' } } },
    '/sources/a~1b',
    '"a/b" is not a name of up to 64 letters, digits, - and _.',
  ],
  [
    'a slot without videos',
    { clocks: { a: [{ source: 'list', count: 0 }] } },
    '/clocks/a/0/count',
    'Must be at least 1.',
  ],
  ...(
    [
      ['a number instead of a text', 311, 'number'],
      ['true instead of a text', true, 'true or false'],
    ] as const
  ).map(([name, artist, read]): (typeof cases)[number] => [
    name,
    { rules: { excludedArtists: ['Queen', artist] } },
    '/rules/excludedArtists/1',
    `Must be string. YAML reads ${read === 'number' ? 'a number' : read}: put it in quotes.`,
  ]),
  [
    'a colour that YAML reads as a comment',
    {
      blocks: [
        { id: 'a', name: 'A', colour: null, days: ['mon'], from: '05:00', to: '06:00', source: 'list' },
      ],
    },
    '/blocks/0/colour',
    'Must be a colour such as #f59e0b. YAML reads no text here, because # starts a comment: put it in quotes.',
  ],
  ['a text instead of a list', { blocks: 'all' }, '/blocks', 'Must be a list.'],
]

test.each(cases)('%s is named with its path', (_name, change, path, message) => {
  expect(documentProblems({ ...complete, ...change }, 'complete')).toContainEqual({ path, message })
})

test('the texts of a document are normalised', () => {
  const rules = {
    excludedArtists: ['Beyonce\u0301'],
    tagWindows: [{ tag: ' Late\u200b', from: '٢٢:٠٠', to: '24:00' }],
  }
  const document = normaliseDocument({ ...complete, rules })
  expect(document).toMatchObject({
    rules: { excludedArtists: ['Beyoncé'], tagWindows: [{ tag: 'Late', from: '22:00' }] },
  })
  expect(documentProblems(document, 'complete')).toEqual([])
})

test('any JSON value that is not a document has one to a hundred problems', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const problems = documentProblems(value, 'complete')
      expect(problems.length).toBeGreaterThan(0)
      expect(problems.length).toBeLessThanOrEqual(100)
    }),
  )
  expect(documentProblems({ blocks: Array.from({ length: 400 }, () => 1) }, 'draft')).toHaveLength(100)
})
