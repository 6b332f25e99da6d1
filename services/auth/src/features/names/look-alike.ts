import { ASCII_CONFUSABLES } from './confusables-table.ts'

/** Characters by the ASCII text they look like. */
const PROTOTYPES: ReadonlyMap<string, string> = new Map(
  Object.entries(ASCII_CONFUSABLES).flatMap(([prototype, points]) =>
    points
      .split(' ')
      .map((point): [string, string] => [String.fromCodePoint(Number.parseInt(point, 16)), prototype]),
  ),
)
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * A key that is equal for names that look alike (UTS #39 §4, "skeleton"), as far as they resemble ASCII. Case is ignored.
 * For handles it equals the SQL expression in the migration `20261122091100-handle-skeletons`.
 */
export function handleSkeleton(name: string): string {
  const characters = [...name.normalize('NFKD').replace(INVISIBLE, '')]
  return (
    characters
      .map((character) => PROTOTYPES.get(character) ?? character)
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
