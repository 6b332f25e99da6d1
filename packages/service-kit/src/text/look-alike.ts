import { ASCII_CONFUSABLES } from './confusables-table.ts'
import { LETTER_FORMS } from './letter-forms-table.ts'

/** The keys of a table by the characters that its values list as code points. */
const byCharacter = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(table).flatMap(([text, points]) =>
      points
        .split(' ')
        .map((point): [string, string] => [String.fromCodePoint(Number.parseInt(point, 16)), text]),
    ),
  )

/** The ASCII text that a character looks like. */
const PROTOTYPES = byCharacter(ASCII_CONFUSABLES)
/** The letter that a character is a form of. */
const LETTERS = byCharacter(LETTER_FORMS)
/** Signs that look like letters or replace them (`@dmin`), as a class of a regular expression. */
export const LETTER_SIGNS = `[@$|!${[...PROTOTYPES.keys()].filter((key) => /[\p{P}\p{S}]/u.test(key)).join('')}]`
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * `name` with plain letters in place of their forms (`Ⓐ`, `🅰`, `ᴀ`, `Ⱥ`, half of a flag), without accents and invisible
 * characters. The case stays, and letters of other alphabets do.
 */
export const plainLetters = (name: string): string =>
  [...name.normalize('NFKD').replace(INVISIBLE, '').replace(/\p{M}/gu, '')]
    .map((character) => LETTERS.get(character) ?? character)
    .join('')

/**
 * A key that is equal for names that look alike (UTS #39 §4, "skeleton"), as far as they resemble ASCII. Case is ignored.
 * For handles it equals the SQL expression in `fillSkeletons` of
 * `services/auth/src/db/migrations/20261127000000-baseline.ts`.
 */
export function handleSkeleton(name: string): string {
  const characters = [...name.normalize('NFKD').replace(INVISIBLE, '')]
  return (
    characters
      // In lower case, because a capital I in a circle or a square does not look like an l.
      .map((character) => PROTOTYPES.get(character) ?? LETTERS.get(character)?.toLowerCase() ?? character)
      .join('')
      // The entries of confusables.txt for ASCII. A capital I looks like an l, a lower-case i does not.
      .replaceAll('0', 'o')
      .replace(/[1I]/g, 'l')
      .toLowerCase()
      .replaceAll('m', 'rn')
  )
}

/** Common substitutions of characters in words. They are applied to both sides of a comparison. */
const SUBSTITUTIONS: readonly (readonly [RegExp, string])[] = [
  [/\p{M}+/gu, ''],
  [/ß/g, 'ss'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[l|!]/g, 'i'],
  [/3/g, 'e'],
  [/[4@]/g, 'a'],
  [/[5$]/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
]

/**
 * A key that is equal for words that can be mistaken for each other. It is coarser than {@link handleSkeleton}: it ignores
 * accents and equates digits with letters (`4dm1n`). It also equates unrelated words, so it only protects a few names.
 */
export const lookAlikeKey = (text: string): string =>
  SUBSTITUTIONS.reduce((key, [pattern, text]) => key.replace(pattern, text), handleSkeleton(text))

/** Letters of any form, also several in a square (`㎏`), and digits, as a class of a regular expression. */
const LETTERS_AND_DIGITS =
  '[\\p{L}\\p{N}\\p{M}\\u24B6-\\u24E9\\u3371-\\u337A\\u3380-\\u33DF\\u{1F110}-\\u{1F1FF}]'
const LETTER_OR_DIGIT = new RegExp(LETTERS_AND_DIGITS, 'u')
const WORD = new RegExp(`(?:${LETTERS_AND_DIGITS}|${LETTER_SIGNS})+`, 'gu')
const SIGNS_AT_ENDS = new RegExp(`^(${LETTER_SIGNS}*)(.*?)(${LETTER_SIGNS}*)$`, 'su')

/** A reading of a word: its key ({@link lookAlikeKey}), and where it begins and ends in the text, in UTF-16 units. */
interface Reading {
  key: string
  start: number
  end: number
}

/**
 * The words of a text, in order, each with its readings: with and without the signs at its ends, which are letters in
 * `$hit` and none in `hit!`, in lower case and as written, because capitals resemble other letters than small ones.
 */
export const wordsOf = (text: string): Reading[][] =>
  Array.from(text.matchAll(WORD), ({ 0: word, index }) =>
    LETTER_OR_DIGIT.test(word) ? readingsOf(word, index) : [],
  ).filter(({ length }) => length > 0)

function readingsOf(word: string, start: number): Reading[] {
  const [, before = '', bare = ''] = SIGNS_AT_ENDS.exec(word) ?? []
  const from = start + before.length
  const places = [
    { written: word, start, end: start + word.length },
    { written: bare, start: from, end: from + bare.length },
  ]
  const readings = new Map<string, Reading>()
  for (const { written, ...place } of places) {
    for (const key of [lookAlikeKey(written.toLowerCase()), lookAlikeKey(written)])
      if (key !== '' && !readings.has(key)) readings.set(key, { key, ...place })
  }
  return [...readings.values()]
}

/**
 * A text with ASCII letters in place of those that look like them; `starts`, `ends`: where in the text the character begins
 * and ends that each of its units is from. Several units can be from one character (`ﬁ`).
 */
export interface PlainForm {
  plain: string
  starts: readonly number[]
  ends: readonly number[]
}

/** Units by which {@link plainForm} may be longer than its text, since one character can stand for 18 letters (`ﷺ`). */
const MAX_GROWTH = 100

/**
 * Unlike {@link handleSkeleton}, it keeps ASCII text as it is. Characters that stand for several letters are kept as they
 * are once the form has grown by {@link MAX_GROWTH}, so that searching it costs little more than searching the text.
 */
export function plainForm(text: string): PlainForm {
  let plain = ''
  let at = 0
  const starts: number[] = []
  const ends: number[] = []
  for (const character of text) {
    const letters = [...character.normalize('NFKD').replace(/\p{M}/gu, '')]
      .map((letter) =>
        letter < '\u0080' ? letter : (PROTOTYPES.get(letter) ?? LETTERS.get(letter) ?? letter),
      )
      .join('')
    const written = plain.length - at + letters.length > MAX_GROWTH ? character : letters
    plain += written
    for (let unit = 0; unit < written.length; unit += 1) {
      starts.push(at)
      ends.push(at + character.length)
    }
    at += character.length
  }
  return { plain, starts, ends }
}
