/**
 * A text fit to be stored: no control characters but line breaks (U+001F separates the fields that
 * search reads; Postgres knows no U+0000), no blanks around it, at most `maxLength` code points.
 */
export function cleanText(text: string, maxLength: number): string {
  const printable = text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Cc}--\n]/gv, ' ')
    .trim()
  return printable.length <= maxLength ? printable : [...printable].slice(0, maxLength).join('').trim()
}

/** As {@link cleanText}; null when nothing is left. */
export function cleanOrNull(text: string | null | undefined, maxLength: number): string | null {
  const cleaned = cleanText(text ?? '', maxLength)
  return cleaned === '' ? null : cleaned
}

export const TEXT_LIMITS = { title: 300, artistName: 200, description: 5000, genre: 100 } as const
