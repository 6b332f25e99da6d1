import { cleanParagraph } from '@looptide/contracts/text'

/**
 * Normalises a text for XML 1.0 (§2.2, Char) and iCalendar (RFC 5545 §3.1): well-formed, without the control characters
 * and non-characters that both forbid, with `\n` as the only line end.
 */
export function plainText(text: string): string {
  return cleanParagraph(text).replace(/[^\t\n\u0020-\u007e\u0080-\ufffd\u{10000}-\u{10ffff}]/gu, '')
}
