import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  cleanAddress,
  cleanCode,
  cleanFragment,
  cleanLine,
  cleanParagraph,
  opaqueString,
  textKey,
} from './text.ts'
import { asciiDigits, typedNumber } from './typed-text.ts'

const pointsOf = (pattern: RegExp): string[] => {
  const found: string[] = []
  for (let point = 0; point <= 0x10ffff; point += 1) {
    if (point === 0xd800) point = 0xe000
    const text = String.fromCodePoint(point)
    if (pattern.test(text)) found.push(text)
  }
  return found
}
const FORMAT = pointsOf(/\p{Cf}/u)
const INVISIBLE = pointsOf(/[[\p{Cf}&&\p{Default_Ignorable_Code_Point}]\uFFF9-\uFFFB]/v)
const DIRECTION = [...'\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069']

const FUNCTIONS = {
  asciiDigits,
  cleanAddress,
  cleanCode,
  cleanFragment,
  cleanLine,
  cleanParagraph,
  opaqueString,
  textKey,
}
/** Pieces whose neighbours matter, and any text. */
const awkward = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['\n', '\r\n', ' ', '\t', '\u00a0', '\u0085', '\u2028', '\u3164', '\u115f', '\u1160', '\u2800'],
        ...[
          '\u200b',
          '\u200c',
          '\u200d',
          '\u202e',
          '\u2069',
          '\ufeff',
          '\ufe0f',
          '\u180e',
          '\u{e0067}',
          '\u{e007f}',
        ],
        ...[
          '\u0301',
          '\u0323',
          '\u0e47',
          '\u0e48',
          '\u0f71',
          '\u05bc',
          '\u064e',
          '\u093c',
          '\u094d',
          '\u034f',
        ],
        ...[
          'a',
          'e\u0301',
          '\u0958',
          '\ufb2c',
          'क',
          'س',
          '\u0647',
          'が',
          '1',
          '٣',
          '🏴',
          '👩',
          '🎤',
          '🏽',
          'ΐ',
          'ﬁ',
        ],
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''))

describe('each normalisation', () => {
  it.each(Object.entries(FUNCTIONS))('%s is idempotent', (_name, normalise) => {
    fc.assert(
      fc.property(awkward, (text) => {
        const once = normalise(text)
        expect(normalise(once)).toBe(once)
      }),
      { numRuns: 1000 },
    )
  })

  it.each(['cleanLine', 'cleanParagraph', 'cleanFragment', 'cleanAddress', 'cleanCode'] as const)(
    '%s is the same for canonically equivalent texts, and its result is NFC',
    (name) => {
      fc.assert(
        fc.property(awkward, (text) => {
          const normalise = FUNCTIONS[name]
          expect(normalise(text.normalize('NFD'))).toBe(normalise(text.normalize('NFC')))
          expect(normalise(text).normalize('NFC')).toBe(normalise(text))
        }),
      )
    },
  )

  it('keeps printable ASCII', () => {
    const ascii = fc.string({ unit: 'grapheme-ascii' }).map((text) => text.trim())
    fc.assert(
      fc.property(ascii, (text) => {
        for (const [name, normalise] of Object.entries(FUNCTIONS))
          expect(normalise(text)).toBe(name === 'textKey' ? text.toLowerCase() : text)
      }),
    )
  })
})

describe('a line', () => {
  it('has no control character, no direction, and no invisible character of any code point at its ends or inside', () => {
    for (const invisible of INVISIBLE)
      for (const text of [`${invisible}ab`, `a${invisible}b`, `ab${invisible}`, `Ä${invisible}`])
        expect([invisible.codePointAt(0), cleanLine(text)]).toEqual([
          invisible.codePointAt(0),
          text.replace(invisible, ''),
        ])
    fc.assert(
      fc.property(awkward, (text) => {
        const line = cleanLine(text)
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
        expect(line).toBe(line.trim())
        for (const direction of DIRECTION) expect(line).not.toContain(direction)
        expect(line.isWellFormed()).toBe(true)
      }),
    )
  })

  it('keeps the number signs of Arabic, which are seen', () => expect(cleanLine('\u06dd١٢')).toBe('\u06dd١٢'))

  it.each([
    '',
    '\u3164',
    '\u200b',
    '\ufeff \u00a0',
    '\u115f\u1160',
    '\u2800',
    '\u202e\u202c',
    '\ufe0f',
    '\u{e0041}',
    '\t\n',
  ])('is empty if nothing is seen: %j', (text) => expect(cleanLine(text)).toBe(''))

  it.each([
    ['Thai', 'น้ำที่กำลังไหล เก้าอี้'],
    ['Lao', 'ນ້ຳ ຢູ່'],
    ['Tibetan', 'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ'],
    ['a Tibetan mantra letter', 'ཧྐྵྨླྺྼྻྃ'],
    ['Vietnamese', 'Nguyễn Thị Ánh Nguyệt, Đường về hai thôn'],
    ['pointed Hebrew', 'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים'],
    ['vocalised Arabic', 'بِسْمِ ٱللَّٰهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ'],
    ['Persian', 'می\u200cخواهم ترانه\u200cها'],
    ['the Hijri year', '۱۴۴۵ ه\u200d'],
    ['Devanagari', 'क्\u200dष र्\u200dय हिन्दी ॐ'],
    ['Malayalam', 'ന്\u200d അവന്\u200d'],
    ['Sinhala', 'ශ්\u200dරී ලංකා'],
    ['Burmese', 'မြန်မာဘာသာ ကြွှေ'],
    ['Khmer', 'ភាសាខ្មែរ ស្ត្រី'],
    ['Tamil', 'க்ஷ ஸ்ரீ'],
    ['Mongolian', 'ᠠᠯᠲᠠ\u180eᠨ'],
    ['Korean', '서울 ᄒᆞᆫ글'],
    ['Japanese', 'が ガ 葛󠄀飾 東京'],
    ['Yoruba', 'Ẹ̀kọ́ ọ̀rọ̀'],
    ['Greek', 'ᾧ Ἀθῆναι'],
    ['joined emoji', '👩🏽‍🎤 👨‍👩‍👧‍👦 ❤️‍🔥 🏳️‍🌈 🏴‍☠️ 🙂‍↔️ 👩🏻‍❤️‍💋‍👨🏿'],
    ['flags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇩🇪'],
    ['keycaps', '1️⃣ #️⃣ *️⃣'],
    ['presentation', '☺︎ ☺️'],
  ])('does no harm to %s', (_script, text) => {
    const nfc = text.normalize('NFC')
    expect(cleanLine(text)).toBe(nfc)
    expect(cleanLine(text.normalize('NFD'))).toBe(nfc)
    expect(cleanParagraph(text)).toBe(nfc)
  })

  it.each(['Z\u0351\u036b\u0343', 'ก็่', 'ه\u064e\u0650\u064f', 'a\u20dd\u20de', 'x\u0301'])(
    'has few marks on a letter, however often they are repeated: %s',
    (stack) => {
      const [letter = '', ...marks] = stack
      const line = cleanLine(`${letter}${marks.join('').repeat(200)}b`)
      expect([...line].length).toBeLessThanOrEqual(12)
      expect(line.endsWith('b')).toBe(true)
    },
  )

  it('loses joiners and tags that join nothing', () => {
    expect(cleanLine('a\u200db \u200c👩\u200d x🏴\u{e0067}')).toBe('ab 👩 x🏴')
  })
})

describe('a paragraph', () => {
  it('keeps line breaks in one form', () => {
    expect(cleanParagraph('one\r\ntwo\rthree\u2028four\n\n\nfive\u0007\t.\n')).toBe(
      'one\ntwo\nthree\nfour\n\n\nfive .',
    )
  })
})

describe('a part of a line', () => {
  it('keeps spaces at its ends', () => expect(cleanFragment(' (Live)\u200b ')).toBe(' (Live) '))
})

describe('an email, a URL or a code', () => {
  it('contains no format character', () => {
    for (const format of FORMAT)
      for (const clean of [cleanAddress, cleanCode])
        expect(clean(`${format} a${format}@b.example${format}`)).toBe('a@b.example')
  })

  it('reads the digits of every script in codes', () => {
    const digits = pointsOf(/\p{Nd}/u)
    expect(digits.length % 10).toBe(0)
    expect(cleanCode(digits.join(''))).toBe('0123456789'.repeat(digits.length / 10))
    expect(cleanCode('١٢٣۴۵۶')).toBe('123456')
    expect(cleanCode('１２：３４'.replace('：', ':'))).toBe('12:34')
    expect(cleanAddress('https://youtube.com/@قناة٣')).toBe('https://youtube.com/@قناة٣')
  })
})

it('reads a typed number in any digits', () => {
  for (const typed of ['12.5', ' 12.5\u200e', '١٢٫٥', '１２.５', '۱۲٫۵'])
    expect(typedNumber(typed)).toBe(12.5)
  for (const typed of ['', ' ', 'a', '1 2', '١-٢']) expect(typedNumber(typed)).toBeNaN()
})

describe('a password', () => {
  it('is the same in each normal form and with each kind of blank (RFC 8265 §4.2)', () => {
    expect(opaqueString('Zo\u0065\u0308 Keats')).toBe('Zo\u00eb Keats')
    expect(opaqueString('correct\u00a0horse\u3000battery')).toBe('correct horse battery')
    expect(opaqueString('\ufeffpassword é\u200b')).toBe('password é')
  })

  it('keeps case, blanks at its ends and compatibility characters', () => {
    expect(opaqueString(' ÅßﬁΣ ')).toBe(' ÅßﬁΣ ')
  })
})

describe('the key of a text', () => {
  it('is equal for spellings that look the same', () => {
    for (const spelling of [
      'Beyonce\u0301',
      'BEYONC\u00c9',
      ' Beyonc\u00e9\u200b',
      '\u202aBeyonc\u00e9\u202c',
    ])
      expect(textKey(spelling)).toBe('beyoncé')
  })
})

const BOUNDED = { cleanAddress, cleanCode, cleanFragment, cleanLine, cleanParagraph, textKey }
/** Of one text: two in each pass, of which each but three removes one of ten marks and their joiners, and two outside. */
const MAX_NORMALISATIONS = 2 * (3 + 21) + 2
/** Long runs of marks, with letters, joiners and invisible characters in between. */
const stacks = fc
  .array(
    fc
      .tuple(
        fc.array(
          fc.constantFrom(
            ...['\u0301', '\u0323', '\u0345', '\u0e48', '\u0f71', '\u0f73', '\u05bc', '\u064e', '\u0650'],
            ...['\u093c', '\u094d', '\u034f', '\u20dd', '\ufe0f', '\u3099', '\u{1d165}', '\u{1e94a}'],
            ...['\u200c', '\u200d', '\u180e', '\u200b', '\u202e', '\u{e0067}', '\u{e007f}', '\u1160'],
            ...['e', 'क', '\u0647', 'س', 'か', '👩', '🏴', ' '],
          ),
          { minLength: 1, maxLength: 3 },
        ),
        fc.integer({ min: 1, max: 300 }),
      )
      .map(([units, times]) => units.join('').repeat(times)),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

describe('a text with long runs of marks', () => {
  it.each(Object.entries(BOUNDED))('has a normal form: %s', (_name, normalise) => {
    fc.assert(
      fc.property(stacks, (text) => {
        const once = normalise(text)
        expect(normalise(once)).toBe(once)
        expect(once.normalize('NFC')).toBe(once)
        // The longest canonical decomposition of a character.
        expect(once.length).toBeLessThanOrEqual(3 * text.length)
        expect(once).not.toMatch(/\p{M}{65}/u)
      }),
    )
  })

  it('has few of them on each letter, with a joiner after each', () => {
    fc.assert(
      fc.property(stacks, (text) => {
        for (const normalise of [cleanLine, cleanParagraph])
          expect(normalise(text)).not.toMatch(/[\p{M}\u180E\u200C\u200D]{22}/u)
      }),
    )
  })

  // `normalize` takes square time in the length of a run. All other steps of a pass read the text once.
  it.each(Object.entries(BOUNDED))(
    'takes linear time: few passes, each with short runs: %s',
    (_name, normalise) => {
      const normalize = vi.spyOn(String.prototype, 'normalize')
      onTestFinished(() => normalize.mockRestore())
      fc.assert(
        fc.property(stacks, (text) => {
          normalize.mockClear()
          normalise(text)
          const texts = normalize.mock.contexts.map(String)
          expect(texts.length).toBeLessThanOrEqual(MAX_NORMALISATIONS)
          for (const one of texts) expect(one).not.toMatch(/\p{M}{65}/u)
        }),
      )
    },
  )
})

it('takes linear time, whatever a text consists of', () => {
  const fullStack = `क${'\u093e\u093f\u0940\u0941\u0942\u0943\u0944\u0945\u0946'}\u0301`
  // Each would take minutes in square time.
  for (const text of [
    ...[
      ' ',
      '\u3164',
      '\u0301',
      '\u200d',
      '\u{e0067}',
      'क\u094d\u200d',
      'x ',
      '\u064e\u0650',
      '\u064e\u200b\u0650',
    ].map((piece) => `é${piece.repeat(50_000)}é`),
    `${fullStack}${'\u0947\u200d'.repeat(50_000)}x`,
  ])
    for (const normalise of [cleanLine, cleanAddress]) normalise(text)
})
