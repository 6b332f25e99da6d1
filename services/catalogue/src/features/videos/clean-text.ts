/**
 * Normalises a text for storage: replaces control characters other than line breaks by blanks, trims it, and cuts it to
 * `maxLength` code points. U+001F separates the fields of a search document, and Postgres cannot store U+0000.
 */
export function cleanText(text: string, maxLength: number): string {
  const printable = text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Cc}--\n]/gv, ' ')
    .trim()
  return printable.length <= maxLength ? printable : [...printable].slice(0, maxLength).join('').trim()
}

/** Like {@link cleanText}; null if the result is empty. */
export function cleanOrNull(text: string | null | undefined, maxLength: number): string | null {
  const cleaned = cleanText(text ?? '', maxLength)
  return cleaned === '' ? null : cleaned
}

/** Maximum lengths, in code points. */
export const TEXT_LIMITS = { title: 300, artistName: 200, description: 5000, genre: 100 } as const
