import { errors } from '@looptide/service-kit/errors'

// C0 and C1 controls except the line feed: nobody types them, and some break a line or a terminal.
const CONTROLS = /(?!\n)\p{Cc}/gu
// Marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX #9 §2): with them a text can show
// itself, or an address in it, in another order than it is written. Right-to-left scripts do not need them.
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
const EMPTY_LINES = /\n(?:[^\S\n]*\n){2,}/gu
// What leaves no ink: spaces, joiners, fillers, selectors, the empty Braille pattern.
const INKLESS = /[\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * What is stored of a text: trimmed, whole characters, no control or direction characters, at most one empty line in
 * a row. Refuses with `validation_failed` what would be seen as nothing.
 */
export function cleanText(text: string): string {
  const clean = text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(CONTROLS, '')
    .replace(DIRECTION, '')
    .replace(EMPTY_LINES, '\n\n')
    .trim()
  if (clean.replace(INKLESS, '') === '') throw errors.validation('Enter a message.')
  return clean
}
