import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { describe, expect, it } from 'vitest'
import { formatSchedule, parseSchedule } from './schedule-yaml.ts'

const document: ScheduleDocument = {
  timeZone: 'Europe/Berlin',
  defaultSource: 'gold',
  sources: {
    gold: { kind: 'smart', where: { categories: ['Classics'], tags: [] } },
    list: { kind: 'playlist' },
  },
  clocks: {
    music: [
      { ident: 'station', durationMs: 8000 },
      { source: 'gold', count: 3 },
    ],
  },
  blocks: [
    {
      id: 'night',
      name: 'Night: "late" # shift',
      colour: '#f59e0b',
      days: ['fri'],
      from: '20:00',
      to: '05:00',
      clock: 'music',
    },
  ],
  overrides: [{ id: 'christmas', from: '2026-12-24', to: '2026-12-26', blocks: [] }],
}

describe('a schedule as YAML', () => {
  it('is the same document when it is parsed', () => {
    const text = formatSchedule(document, 'Schedule of night-and-day, version 3.')
    expect(parseSchedule(text).document).toEqual(document)
    expect(text).toMatch(/^# Schedule of night-and-day, version 3\.\n/)
  })

  it('does not depend on the order of fields', () => {
    const reversed = Object.fromEntries(Object.entries(document).toReversed()) as unknown as ScheduleDocument
    expect(formatSchedule(reversed, 'x')).toBe(formatSchedule(document, 'x'))
  })

  it('quotes times and dates, which YAML 1.1 reads as numbers and dates', () => {
    expect(formatSchedule(document, 'x')).toContain("from: '20:00'")
    expect(formatSchedule(document, 'x')).toContain("from: '2026-12-24'")
  })
})

describe('a JSON pointer', () => {
  const { lineOf } = parseSchedule(
    [
      '# comment',
      'timeZone: UTC',
      'sources:',
      '  gold:',
      '    kind: smart',
      'blocks:',
      '  - id: a',
      '  - id: b',
      '    from: 10:00',
    ].join('\n'),
  )
  it.each([
    ['', 2],
    ['/timeZone', 2],
    ['/sources/gold', 4],
    ['/sources/gold/where', 4],
    ['/blocks/1', 8],
    ['/blocks/1/from', 9],
    ['/blocks/7/from', 6],
    ['/rules', 2],
  ])('%s is at line %i', (pointer, line) => {
    expect(lineOf(pointer)).toBe(line)
  })
})

describe('hostile YAML', () => {
  const bomb = [
    'a: &a [x, x, x, x]',
    ...[...'bcdefghij'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[at]}`)}]`),
  ]
  it.each([
    ['aliases that expand exponentially', bomb.join('\n'), 'too many aliases'],
    ['an alias without an anchor', 'a: *b', 'an alias without an anchor'],
    ['deep nesting', '['.repeat(50_000), 'nested too deeply'],
    ['a name that is used twice', 'a: 1\na: 2', 'Line 2: Map keys must be unique'],
    ['two documents', 'a: 1\n---\na: 2', 'Line 2: '],
    ['a tag of another language', 'a: !!js/function x', 'Line 1: Unresolved tag'],
    ['a file that is too large', ' '.repeat(2_000_000), 'characters'],
  ])('with %s is refused', (_name, text, message) => {
    expect(() => parseSchedule(text)).toThrow(message)
  })

  it('with the names of prototypes stays data', () => {
    const { document: parsed } = parseSchedule('__proto__: { isAdmin: true }\nconstructor: 1')
    expect(Object.keys(parsed as object)).toEqual(['__proto__', 'constructor'])
    expect((parsed as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
})
