import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText } from './clean-text.ts'

const refuses = (text: string): boolean => {
  try {
    cleanText(text)
    return false
  } catch {
    return true
  }
}

describe('the text that is stored', () => {
  it('is what it was cleaned to, however often it is cleaned, and never longer than what was written', () => {
    const strange = fc.constantFrom('\n', ' ', '\r\n', '\u202E', '\u2066', '\u200D', '\u0007', '👩‍🎤', 'x')
    const texts = fc.array(fc.oneof(strange, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!refuses(text))
        const clean = cleanText(text)
        expect(cleanText(clean)).toBe(clean)
        expect([...clean].length).toBeLessThanOrEqual([...text].length)
        expect(clean).not.toMatch(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\r]|\n\n\n/u)
        expect(clean.isWellFormed()).toBe(true)
      }),
    )
  })

  it.each([
    ['two lines', 'one\ntwo'],
    ['a family emoji', '👨‍👩‍👧‍👦 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['Persian, which joins and does not join', 'می\u200Cخواهم'],
    ['Hebrew', 'שלום עולם'],
    ['accents that stand alone', 'e\u0301'],
  ])('keeps %s', (_what, text) => {
    expect(cleanText(text)).toBe(text)
  })

  it('turns no text around', () => {
    expect(cleanText('see \u202Egpj.exe\u202C and \u2067this\u2069')).toBe('see gpj.exe and this')
  })

  it('has at most one empty line in a row', () => {
    expect(cleanText('a\n\n \n\n\t\nb\nc')).toBe('a\n\nb\nc')
  })

  it.each([
    ['blanks', ' \n\t '],
    ['joiners', '\u200D\u200C\u2060'],
    ['direction marks', '\u202E\u202C'],
    ['fillers', '\u3164\u115F\u2800'],
    ['selectors', '\uFE0F'],
  ])('is not made of %s alone', (_what, text) => {
    expect(() => cleanText(text)).toThrow('Enter a message.')
  })
})
