import { ASCII_CONFUSABLES } from './confusables-table.ts'

/** A character and the ASCII text it looks like. */
const PROTOTYPES: ReadonlyMap<string, string> = new Map(
  Object.entries(ASCII_CONFUSABLES).flatMap(([prototype, points]) =>
    points
      .split(' ')
      .map((point): [string, string] => [String.fromCodePoint(Number.parseInt(point, 16)), prototype]),
  ),
)
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Equal for names that look alike (UTS #39 §4, "skeleton"), as far as they look like ASCII, and without regard to case.
 * Of a handle it is what the migration `20261122091100-handle-skeletons` computes in SQL.
 */
export function handleSkeleton(name: string): string {
  const signs = [...name.normalize('NFKD').replace(INVISIBLE, '')]
  return (
    signs
      .map((sign) => PROTOTYPES.get(sign) ?? sign)
      .join('')
      // What confusables.txt says of ASCII itself. A capital I looks like an l, a small one does not.
      .replaceAll('0', 'o')
      .replace(/[1I]/g, 'l')
      .toLowerCase()
      .replaceAll('m', 'rn')
  )
}

/** Substitutions by which people write one word for another; applied to both sides of a comparison. */
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
 * Equal for words that one could be taken for the other, more generously than {@link handleSkeleton}: without accents,
 * and with digits for letters (`4dm1n`). Only to protect a few words, as it also equates honest ones.
 */
export const lookAlikeKey = (text: string): string =>
  SUBSTITUTIONS.reduce((key, [pattern, text]) => key.replace(pattern, text), handleSkeleton(text))
