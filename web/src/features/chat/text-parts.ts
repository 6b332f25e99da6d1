/** A piece of a message: plain text, or an address that may be followed. Put together they are the whole message. */
export type TextPart =
  | { kind: 'text'; text: string }
  | {
      kind: 'link'
      text: string
      /** What is opened: http or https, nothing else. */
      href: string
      /** Where it leads, in plain ASCII, so that no letter of another script passes for one of ours. */
      host: string
    }

/** Ends at blanks, at what addresses never hold (RFC 3986 §2), and at quotes of all kinds. */
const CANDIDATE = /https?:\/\/[^\s<>"`{}|\\^\p{Cc}\p{Pi}\p{Pf}]+/giu
/** What follows an address in a sentence and is not meant by it. */
const TRAILING = /[.,:;!?'*_~…。、，！？]+$/u
const PAIRS = { ')': '(', ']': '[' } as const
/** Part of a longer word, or of another scheme: then it is no address of its own. */
const WORD_END = /[\p{L}\p{N}+.-]$/u

/** Cuts a message into text and addresses. Only what says http:// or https:// itself is an address. */
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

/** Without the punctuation of the sentence around it; a bracket stays if it was opened inside. */
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

/** Null for what is no address, and for one with a name before the host: `https://looptide.tv@evil.example`. */
function safeUrl(text: string): URL | null {
  try {
    const url = new URL(text)
    if (url.username !== '' || url.password !== '') return null
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null
  } catch {
    return null
  }
}
