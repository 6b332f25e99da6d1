import { asciiDigits, withoutFormat } from './typed-text.ts'

/**
 * The rules for text, the same wherever text enters the station: requests (through the classes of text-fields.ts), what
 * YouTube and identity providers send, and the web app's inputs. Each function is idempotent and returns ASCII quickly.
 */

/** Scripts whose letters change their shape at a joiner (Unicode Standard, chapters 9, 12, 13 and 16). */
const JOINING = [
  'Arabic',
  'Syriac',
  'Nko',
  'Mandaic',
  'Adlam',
  'Mongolian',
  'Phags_Pa',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Balinese',
  'Javanese',
]
const JOINING_CLASS = `[${JOINING.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]`
const JOINING_LETTER = `(?=[\\p{L}\\p{M}])${JOINING_CLASS}`

/**
 * Format characters without a glyph, among them all that change the direction of text (UAX #9 §2). Not the number signs of
 * Arabic and Kaithi and the controls of hieroglyphs, which are format characters that are seen.
 */
const INVISIBLE = String.raw`(?=\p{Default_Ignorable_Code_Point})[\p{Cf}\p{Cn}]|[\uFFF9-\uFFFB]`

/**
 * Where an invisible character is needed: joiners inside emoji (UTS #51), in the flags of England, Scotland and Wales, and
 * in scripts that join letters: between two letters, after a vowel killer, and after the letter of the Hijri year.
 */
const NEEDED = [
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\u{1F3F4})[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{2,6}\u{E007F}`,
  String.raw`(?<=${JOINING_LETTER})[\u180E\u200C\u200D](?=${JOINING_LETTER})`,
  String.raw`(?<=(?=\p{M})${JOINING_CLASS})[\u200C\u200D]`,
  String.raw`(?<=\u0647)\u200D`,
].join('|')
const NEEDED_OR_INVISIBLE = new RegExp(`(${NEEDED})|${INVISIBLE}`, 'gu')

/** Blanks, and letters and marks without a glyph, except the fillers inside Hangul syllables. */
const LEADING = /^(?:[\s\p{Z}\u2800]|(?![\u115F\u1160])\p{Default_Ignorable_Code_Point})+/u
/** At the end, a variation selector or a joiner that is still there belongs to the character before it. */
const TRAILING = /[\s\p{Z}\u2800\u3164\uFFA0]/u
const GLYPH = /[^\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800\u{1D159}]/u

/** Marks that any letter may have. Other scripts have their own, of which more belong on one letter. */
const GENERAL_MARK =
  /(?![\p{Script_Extensions=Arabic}\p{Script_Extensions=Hebrew}\p{Script_Extensions=Devanagari}])(?=\p{M})[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Thai}\p{Script=Lao}]/u
/** More than any language stacks on one letter (UTS #39 §5.4). */
const MAX_GENERAL_MARKS = 4
/** A letter of Tibetan in a mantra has nine. */
const MAX_MARKS = 10
/** The marks of one letter. Joiners among them begin no other letter. */
const MARKS = /[\p{M}\u180E\u200C\u200D]{3,}/gu
const JOINER = /[\u180E\u200C\u200D]/
/** Marks that no letter has. Sorting them by class takes square time in `normalize`. */
const LONG_RUN = /(\p{M}{64})\p{M}+/gu

const LEADING_INVISIBLE = new RegExp(`^(?:${INVISIBLE})+`, 'u')
const PLAIN_LINE = /^[!-~](?:[ -~]*[!-~])?$/
/** Letters, digits and signs that need no look at their neighbours. Most texts outside ASCII are of these. */
const SIMPLE_LINE =
  /^(?! )(?:(?![\p{Default_Ignorable_Code_Point}\u2800\u{1D159}\uFFF9-\uFFFD])[ \p{L}\p{N}\p{P}\p{S}])+(?<! )$/u
const PLAIN_PARAGRAPH = /^[!-~](?:[\n -~]*[!-~])?$/
const PLAIN = /^[!-~]*$/
const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const CONTROL = /(?!\n)\p{Cc}/gu

/**
 * Normalises a text of one line, such as a name, a title, a tag or a search: NFC, without control, direction and invisible
 * characters, at most as many marks on a letter as a language uses, without blanks at its ends. Empty if it has no glyph.
 */
export function cleanLine(text: string): string {
  if (isCleanLine(text)) return text
  return cleaned(
    text
      .replace(LINE_BREAK, ' ')
      .replaceAll(/[\t\n]/g, ' ')
      .replace(CONTROL, ''),
  )
}

/** Like {@link cleanLine} for a part of a line: a space at its ends stays. */
export function cleanFragment(text: string): string {
  const line = cleanLine(text)
  const start = text.startsWith(' ') ? ' ' : ''
  return line === '' || !text.endsWith(' ') ? `${start}${line}` : `${start}${line} `
}

/** Like {@link cleanLine} for a text of several lines: line breaks stay, as `\n`. */
export function cleanParagraph(text: string): string {
  if (PLAIN_PARAGRAPH.test(text)) return text
  return cleaned(text.replace(LINE_BREAK, '\n').replaceAll('\t', ' ').replace(CONTROL, ''))
}

/** Removes every invisible character from an email address or a URL, and blanks at its ends. NFC. */
export function cleanAddress(text: string): string {
  return PLAIN.test(text) ? text : composed(withoutFormat(text)).trim()
}

/** Like {@link cleanAddress} for a code, a number, a time or an id. Digits of any script become ASCII digits. */
export function cleanCode(text: string): string {
  return PLAIN.test(text) ? text : asciiDigits(cleanAddress(text))
}

/**
 * Prepares a password for hashing (RFC 8265 §4.2, OpaqueString): blanks of any kind are spaces, NFC. Invisible characters at
 * its ends, which come with pasting, are removed. Unlike the RFC it refuses nothing, because older passwords may have it,
 * and cuts no run of marks: it takes square time in such a run, so the password must not be longer than schemas allow.
 */
export function opaqueString(password: string): string {
  if (/^[ -~]*$/.test(password)) return password
  return withoutTrailingFormat(password)
    .replace(LEADING_INVISIBLE, '')
    .replace(/\p{Zs}/gu, ' ')
    .normalize('NFC')
}

/**
 * The form in which names, tags, genres and texts of searches are compared: {@link cleanLine} in lower case. Two texts that
 * look the same to a reader of their script have the same key.
 */
export const textKey = (text: string): string => cleanLine(text).toLowerCase().normalize('NFC')

/** A fast answer for most texts. */
const isCleanLine = (text: string): boolean =>
  PLAIN_LINE.test(text) || (SIMPLE_LINE.test(text) && text === text.normalize('NFC'))

/** NFC in linear time. A run is cut again, because some marks are two in NFC. */
const composed = (text: string): string =>
  text.replace(LONG_RUN, '$1').normalize('NFC').replace(LONG_RUN, '$1')

/** Whether a reader sees anything of this text. */
const hasGlyph = (text: string): boolean => GLYPH.test(text)

function cleaned(text: string): string {
  let before = composed(text.toWellFormed())
  for (;;) {
    // Each step may uncover work for the one before it, between the same two letters. After two passes there are at most
    // ten marks and their joiners, of which each further pass removes one: so the passes are few, however long the text is.
    const visible = before.replace(NEEDED_OR_INVISIBLE, (_match, needed: string | undefined) => needed ?? '')
    const shown = composed(composed(visible).replace(MARKS, boundedMarks)).replace(LEADING, '')
    const after = withoutTrailing(shown)
    if (after === before) return hasGlyph(after) ? after : ''
    before = after
  }
}

/** Takes linear time, unlike a regular expression that ends with `$`. */
function withoutTrailing(text: string): string {
  let end = text.length
  while (end > 0 && TRAILING.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

function withoutTrailingFormat(text: string): string {
  let end = text.length
  while (
    end > 0 &&
    /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/.test(text.charAt(end - 1))
  )
    end -= 1
  return text.slice(0, end)
}

/** The marks of one letter that stay. A repeated mark stays twice. */
function boundedMarks(marks: string): string {
  let kept = ''
  let count = 0
  let general = 0
  const seen = new Map<string, number>()
  for (const mark of marks) {
    if (count === MAX_MARKS) break
    if (JOINER.test(mark)) {
      kept += mark
      continue
    }
    const times = (seen.get(mark) ?? 0) + 1
    const isGeneral = GENERAL_MARK.test(mark)
    if (times > 2 || (isGeneral && general === MAX_GENERAL_MARKS)) continue
    seen.set(mark, times)
    count += 1
    general += isGeneral ? 1 : 0
    kept += mark
  }
  return kept
}
