import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WORD_ACTIONS, type WordEntry } from './http/word-list.ts'
import { cleanLine } from './text.ts'
import { readWordLines, wordLines } from './word-lines.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map(cleanLine)
const entry: fc.Arbitrary<WordEntry> = fc.record({
  action: fc.constantFrom(...WORD_ACTIONS),
  kind: fc.constantFrom('word', 'pattern'),
  text: fc
    .oneof(text, fc.constantFrom('/x/', '\\/x/', '//', '///', '\\', '# x', 'mask: x', '/a/b/'))
    .filter((value) => value !== ''),
})

describe('the lines of a word list', () => {
  it('are read as the list that was written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(entry, { maxLength: 20, selector: (e) => wordLines([e]) }), (entries) => {
        expect(readWordLines(wordLines(entries))).toMatchObject({ entries, problems: [] })
      }),
    )
  })

  it('have a backslash before a word between slashes, which would be a pattern', () => {
    const entries: WordEntry[] = [{ action: 'mask', kind: 'word', text: '/x/' }]
    expect(wordLines(entries)).toBe('mask: \\/x/')
    expect(readWordLines('\\/x/').entries).toEqual([{ action: 'refuse', kind: 'word', text: '/x/' }])
  })

  it('may have empty lines, comments, repeated entries, any line breaks and no action', () => {
    const { entries, lineOf, problems } = readWordLines('# bad words\r\nspam\n\nMASK :  darn \nspam\n/a+b/')
    expect(entries).toEqual([
      { action: 'refuse', kind: 'word', text: 'spam' },
      { action: 'mask', kind: 'word', text: 'darn' },
      { action: 'refuse', kind: 'pattern', text: 'a+b' },
    ])
    expect(lineOf).toEqual([2, 4, 6])
    expect(problems).toEqual([])
  })

  it('are refused with their numbers if they are empty, too long or too many', () => {
    const many = Array.from({ length: 1001 }, (_, i) => `w${i}`).join('\n')
    expect(readWordLines('ok\nmask:').problems).toMatchObject([{ line: 2 }])
    expect(readWordLines(`ok\n\n${'x'.repeat(101)}`).problems).toMatchObject([{ line: 3 }])
    expect(readWordLines(many).problems).toMatchObject([{ line: 1001 }])
  })
})
