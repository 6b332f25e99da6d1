import { LETTER_SIGNS } from './look-alike.ts'

/** Letters, digits, and signs that look like them. */
const WORD = new RegExp(`(?:[\\p{L}\\p{N}]|${LETTER_SIGNS})+`, 'gu')

/** Where a word may be made of two: each alternative is an empty match. */
const BOUNDARY = new RegExp(
  [
    // chat|Admin
    String.raw`(?<=\p{Ll})(?=\p{Lu})`,
    // ADMIN|Paul. A single capital begins its word: Madmint has no boundary.
    String.raw`(?<=\p{Lu})(?=\p{Lu}\p{Ll})`,
    // ADMIN|x
    String.raw`(?<=\p{Lu}\p{Lu})(?=\p{Ll})`,
    // Letters and digits, signs, or letters without case: Admin|42, x|@dmin, 管理|admin
    ...[String.raw`\p{N}`, LETTER_SIGNS, String.raw`[\p{Lo}\p{Lm}]`].flatMap((kind) => [
      `(?<=${kind})(?!${kind}|$)`,
      `(?<!${kind}|^)(?=${kind})`,
    ]),
  ].join('|'),
  'u',
)

/**
 * The words of a name, each as the parts that it may be made of: they end where the case changes, and between letters,
 * digits and signs. The parts of a word in one case are not known: `adminpaul` is one part. `plain` has no accents.
 */
export const wordParts = (plain: string): string[][] =>
  (plain.match(WORD) ?? []).map((word) => word.split(BOUNDARY))

/** The look-alike key of two parts together: `r` and `n`, or two `v`, look like one letter across the boundary, too. */
export const joinKeys = (first: string, second: string): string =>
  `${first}${second}`.replaceAll('rn', 'm').replaceAll('vv', 'w')
