import { errors } from '@looptide/service-kit/http/errors'

// C0 and C1 controls except the line feed: keyboards do not produce them, and some break a line or a terminal.
const CONTROL_CHARACTERS = /(?!\n)\p{Cc}/gu
// Marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX #9 §2). They can show a text, or a
// link in it, in another order than it was typed. Right-to-left scripts do not need them.
const BIDI_CHARACTERS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
const EMPTY_LINES = /\n(?:[^\S\n]*\n){2,}/gu
// Characters without a visible glyph: spaces, joiners, fillers, variation selectors, the empty Braille pattern.
const INVISIBLE_CHARACTERS = /[\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * Normalises the text of a message: well-formed Unicode, no control or direction characters, at most one empty line
 * in a row, trimmed. Throws `validation_failed` if nothing visible is left.
 */
export function cleanText(text: string): string {
  const clean = text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(CONTROL_CHARACTERS, '')
    .replace(BIDI_CHARACTERS, '')
    .replace(EMPTY_LINES, '\n\n')
    .trim()
  if (clean.replace(INVISIBLE_CHARACTERS, '') === '') throw errors.validation('Enter a message.')
  return clean
}
