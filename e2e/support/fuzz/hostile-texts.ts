import fc from 'fast-check'

/** Texts that a database can store but that may cause errors later. */
export const STORABLE = [
  '',
  ' ',
  "' or 1=1; drop table videos; --",
  '"; select pg_sleep(10); --',
  '%_%',
  '\\',
  '{{7*7}}#{7*7}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '$(touch /tmp/owned)`id`|cat /etc/passwd;',
  '../../../../etc/passwd',
  'C:\\windows\\win.ini',
  'a\r\nSet-Cookie: x=1\r\n\r\n<html>',
  '\u202eevil\u202c',
  '\u200b\u200d\ufeff',
  'é́́́́́́́́',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'ﷺ'.repeat(50),
  'İstanbul ß ſ K',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e309',
  '9007199254740993',
  '0x10',
  '٣',
  '2026-02-30T25:61:61Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'file:///etc/passwd',
  'gopher://localhost:6379/_FLUSHALL',
  'http://169.254.169.254/latest/meta-data',
] as const

/** As above, with URLs on `bait`, which no process may request. */
const storable = (bait: string): string[] => [
  ...STORABLE,
  bait,
  `${bait}/watch?v=aaaaaaaaaa1`,
  bait.replace('http://', 'https://'),
  bait.replace('http:', ''),
  `https://www.youtube.com@${bait.replace('http://', '')}/`,
]

/** Texts that no column can store. */
export const UNSTORABLE = ['\0', 'a\0b', '\ud800', 'x\udc00y', '\udfff\ud800'] as const

/** Hostile texts that can be stored. */
export const awkwardTexts = (bait: string): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...storable(bait)), weight: 6 },
    { arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }), weight: 2 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map(withoutUnstorable), weight: 2 },
    { arbitrary: fc.integer({ min: 100, max: 6000 }).map((length) => 'x'.repeat(length)), weight: 1 },
  )

const withoutUnstorable = (text: string): string => text.toWellFormed().replaceAll('\0', '0')

/** Hostile texts, including those that cannot be stored. */
export const hostileTexts = (bait: string): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: awkwardTexts(bait), weight: 4 },
    { arbitrary: fc.constantFrom(...UNSTORABLE), weight: 1 },
  )

/** JSON values that replace another value, as JSON text: JavaScript has no numbers as large as `1e999`. */
export const hostileJson = (bait: string): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: hostileTexts(bait).map((text) => JSON.stringify(text)), weight: 3 },
    {
      arbitrary: fc.constantFrom(
        ...[
          'null',
          'true',
          'false',
          '0',
          '-0',
          '-1',
          '1.5',
          '1e308',
          '1e999',
          '-1e999',
          '1e-400',
          '2147483648',
        ],
        ...[
          '9007199254740993',
          '99999999999999999999999999',
          '[]',
          '{}',
          '[null]',
          '[[]]',
          '{"__proto__":{"admin":true}}',
        ],
        ...[
          '{"constructor":{"prototype":{"admin":true}}}',
          '{"toString":1}',
          '{"length":1e9}',
          '{"$ne":null}',
        ],
        ...['{"then":1}', '{"toJSON":1}', '{"":0}', '[{"a":[{"b":[{}]}]}]'],
      ),
      weight: 3,
    },
    { arbitrary: fc.json({ maxDepth: 3 }), weight: 1 },
    {
      arbitrary: fc.constantFrom(2, 40, 3000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
      weight: 1,
    },
  )
