/** A part of a message: plain text or a link. All parts together are the whole message. */
export type TextPart =
  | { kind: 'text'; text: string }
  | {
      kind: 'link'
      text: string
      /** The link's target: http or https only. */
      href: string
      /** The target's host in ASCII (punycode), so that look-alike letters of other scripts are visible. */
      host: string
    }

/** A URL ends at whitespace, at characters that URLs never contain (RFC 3986 §2), and at quotes. */
const CANDIDATE = /https?:\/\/[^\s<>"`{}|\\^\p{Cc}\p{Pi}\p{Pf}]+/giu
/** Punctuation after a URL that belongs to the sentence. */
const TRAILING = /[.,:;!?'*_~…。、，！？]+$/u
const PAIRS = { ')': '(', ']': '[' } as const
/** If preceded by this, it is part of a longer word or of another scheme, not a URL. */
const WORD_END = /[\p{L}\p{N}+.-]$/u

/**
 * Splits a message into text and links. Only text that starts with http:// or https:// is a link. Not `linkify-it`, which
 * costs the bundle more and guesses links without a scheme.
 */
export function textParts(message: string): TextPart[] {
  const parts: TextPart[] = []
  let done = 0
  const addText = (until: number) => {
    if (until > done) parts.push({ kind: 'text', text: message.slice(done, until) })
    done = Math.max(done, until)
  }
  for (const match of message.matchAll(CANDIDATE)) {
    if (WORD_END.test(message.slice(0, match.index))) continue
    const text = withoutTail(match[0])
    const url = safeUrl(text)
    if (url === null) continue
    addText(match.index)
    parts.push({ kind: 'link', text, href: url.href, host: url.host })
    done = match.index + text.length
  }
  addText(message.length)
  return parts
}

/** Removes the punctuation of the surrounding sentence; keeps a bracket that was opened inside the URL. */
function withoutTail(candidate: string): string {
  let text = candidate
  for (;;) {
    const trimmed = text.replace(TRAILING, '')
    const open = PAIRS[trimmed.at(-1) as keyof typeof PAIRS] as string | undefined
    const isUnopened =
      open !== undefined && trimmed.split(open).length < trimmed.split(trimmed.at(-1) ?? '').length
    const next = isUnopened ? trimmed.slice(0, -1) : trimmed
    if (next === text) return text
    text = next
  }
}

/** Parses a URL. Null if it is invalid or has user info before the host: `https://looptide.tv@evil.example`. */
function safeUrl(text: string): URL | null {
  try {
    const url = new URL(text)
    if (url.username !== '' || url.password !== '') return null
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null
  } catch {
    return null
  }
}
