import { WORD_ACTIONS, type WordEntry } from '@looptide/contracts/http/word-list'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WordFilter } from './word-filter.ts'

const entry = (action: WordEntry['action'], kind: WordEntry['kind'], text: string): WordEntry => ({
  action,
  kind,
  text,
})
const wordProblems = (entries: readonly WordEntry[]) => new WordFilter(entries).problems
const refuses = (text: string) => {
  const filter = new WordFilter([entry('refuse', 'word', text)])
  return (message: string) => filter.check(message).action === 'refuse'
}

describe('a word', () => {
  it.each(['shit', 'SHIT', 'Shit!', '$hit', 'sh1t', 'ѕһіt', 'ⓢⓗⓘⓣ', '𝓼𝓱𝓲𝓽', 'ｓｈｉｔ', 'šhít', 'oh, shit.'])(
    'is found in “%s”',
    (message) => {
      expect(refuses('shit')(message)).toBe(true)
    },
  )

  it.each(['shitake', 'bullshit', 's hit', 'ship', '🔥'])('is not found in “%s”', (message) => {
    expect(refuses('shit')(message)).toBe(false)
  })

  it('of several words is found with any blanks and signs between them, and only as a whole', () => {
    const isRefused = refuses('free money')
    expect(isRefused('get FREE,\n m0ney now')).toBe(true)
    expect(isRefused('free the money')).toBe(false)
    expect(isRefused('free')).toBe(false)
  })

  it.each([
    ['fist', 'ﬁst'],
    ['stuff', 'stuﬀ'],
    ['strasse', 'Straße'],
    ['kg', '㎏'],
    ['dz', 'ǲ'],
  ])('“%s” is found in characters that stand for several letters: “%s”', (word, message) => {
    expect(refuses(word)(`a ${message}!`)).toBe(true)
  })

  it('is found in one of many phrases with the same first words', () => {
    const phrase = (i: number) => `a a a a a a a a x${i}`
    const entries = Array.from({ length: 1000 }, (_, i) => entry('refuse', 'word', phrase(i)))
    expect(new WordFilter(entries).check(`a ${phrase(555)}`).matches).toEqual([555])
    expect(new WordFilter(entries).check('a '.repeat(250)).matches).toEqual([])
  })

  it('of another alphabet is found', () => {
    expect(refuses('дурак')('Ты ДУРАК!')).toBe(true)
  })
})

describe('a pattern', () => {
  it('matches any part of a message, in any case, also with look-alikes', () => {
    const filter = new WordFilter([entry('refuse', 'pattern', 'b[uv]y\\s+now')])
    for (const message of ['please BUY  now!', 'bvy now', 'bυу now', 'купи: ｂｕｙ now'])
      expect(filter.check(message).action).toBe('refuse')
    expect(filter.check('by now').action).toBeNull()
  })
})

it('a message has the strictest action of what it contains, and a held one is masked too', () => {
  const actions = ['mask', 'hold', 'refuse'] as const
  const filter = new WordFilter(actions.map((action) => entry(action, 'word', action)))
  expect(filter.check('mask and hold')).toEqual({ action: 'hold', message: '**** and hold', matches: [0, 1] })
  expect(filter.check('mask, hold, refuse').action).toBe('refuse')
})

describe('masking', () => {
  const filter = new WordFilter([
    entry('mask', 'word', 'darn'),
    entry('mask', 'word', 'oh my'),
    entry('mask', 'pattern', 'h[e3]ck+'),
  ])

  it('replaces each character of the words, in the place where they are written', () => {
    expect(filter.check('Oh my! Ｄarn it, what the 𝓱3ckk 🔥').message).toBe(
      '** **! **** it, what the ***** 🔥',
    )
  })

  it('keeps the rest of any message, and its length in characters', () => {
    const words = new WordFilter([entry('mask', 'word', 'darn'), entry('mask', 'pattern', 'h[e3]ck+')])
    const parts = fc.array(fc.oneof(fc.constantFrom('darn', 'hECK', ' '), fc.string({ unit: 'grapheme' })), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(parts, (given) => {
        const message = given.join(' ')
        const after = [...words.check(message).message]
        const before = [...message]
        expect(after).toHaveLength(before.length)
        expect(after.filter((character, i) => character !== before[i] && character !== '*')).toEqual([])
        // What is left contains no word of the list.
        expect(words.check(after.join('')).matches).toEqual([])
      }),
    )
  })

  it('replaces a whole character that stands for several letters, if a pattern matches one of them', () => {
    const masks = new WordFilter([entry('mask', 'pattern', 'f[uo]')])
    expect(masks.check('oﬀurl').message).toBe('o**rl')
  })

  it('replaces a whole message that it cannot search in time', () => {
    const everywhere = new WordFilter([
      entry('mask', 'pattern', '.(x.{40}y)?'),
      entry('mask', 'pattern', '(.{1,9}a){1,9}x'),
    ])
    expect(everywhere.check(`${'a'.repeat(499)}!`).message).toBe('*'.repeat(500))
  })

  it('is less strict than refusing', () => {
    const both = new WordFilter([entry('mask', 'word', 'darn'), entry('refuse', 'word', 'darn')])
    expect(both.check('darn').action).toBe(WORD_ACTIONS[0])
    expect(both.check('darn').matches).toEqual([0, 1])
  })
})

describe('the problems of a list', () => {
  const problemsOf = (...patterns: string[]) =>
    wordProblems(patterns.map((text) => entry('refuse', 'pattern', text)))

  it('name the entry, and the place in a pattern that is wrong', () => {
    expect(problemsOf('ok', 'ab[z-a]')).toEqual([
      {
        path: '/entries/1/text',
        message: 'The pattern is wrong at character 4: invalid character class range.',
      },
    ])
    expect(problemsOf('a(b')[0]?.message).toContain('missing closing )')
    expect(wordProblems([entry('mask', 'word', '🔥')])).toMatchObject([{ path: '/entries/0/text' }])
  })

  it('are patterns that match every message, and too many or too large ones', () => {
    expect(problemsOf('x*')).toHaveLength(1)
    expect(problemsOf('(.{1,10}a){1,30}', '(.{1,10}a){1,30}', '(.{1,10}a){1,30}')).toMatchObject([
      { path: '/entries/2/text' },
    ])
    expect(problemsOf(...Array.from({ length: 101 }, (_, i) => `p${i}`))).toMatchObject([
      { path: '/entries/100/text' },
    ])
  })

  it('are more than ten words in an entry', () => {
    expect(
      wordProblems([entry('mask', 'word', 'a '.repeat(10)), entry('mask', 'word', 'a '.repeat(11))]),
    ).toEqual([{ path: '/entries/1/text', message: 'An entry has at most 10 words.' }])
  })

  it('concern single entries: the others apply', () => {
    const filter = new WordFilter([entry('refuse', 'pattern', 'a(b'), entry('refuse', 'word', 'spam')])
    expect(filter.problems).toHaveLength(1)
    expect(filter.check('spam').matches).toEqual([1])
  })

  it('are found in any text without another error', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 5 }), (texts) => {
        const entries = texts.map((text, i) => entry('refuse', i % 2 === 0 ? 'pattern' : 'word', text))
        new WordFilter(entries).check('any message')
      }),
    )
  })
})
