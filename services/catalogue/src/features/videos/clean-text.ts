import { cleanLine, cleanParagraph } from '@looptide/contracts/text'

/** Normalises a text of one line for storage, and cuts it to `maxLength` code points. */
export const cleanText = (text: string, maxLength: number): string => limited(cleanLine, text, maxLength)

/** Like {@link cleanText}; null if the result is empty. */
export const cleanOrNull = (text: string | null | undefined, maxLength: number): string | null =>
  cleanText(text ?? '', maxLength) || null

/** Like {@link cleanOrNull} for a text of several lines. */
export const cleanLinesOrNull = (text: string | null | undefined, maxLength: number): string | null =>
  limited(cleanParagraph, text ?? '', maxLength) || null

function limited(clean: (text: string) => string, text: string, maxLength: number): string {
  const cleaned = clean(text)
  return cleaned.length <= maxLength ? cleaned : clean([...cleaned].slice(0, maxLength).join(''))
}

/** Maximum lengths, in code points. */
export const TEXT_LIMITS = { title: 300, artistName: 200, description: 5000, genre: 100 } as const
