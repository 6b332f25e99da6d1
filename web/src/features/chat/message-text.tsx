import { textParts } from './text-parts.ts'

/** A message's text. Nothing in it is interpreted as markup; only URLs become links. */
export function MessageText({ text }: { text: string }) {
  let place = 0
  return (
    <p
      dir="auto"
      className="overflow-clip [overflow-clip-margin:0.25rem] [overflow-wrap:anywhere] whitespace-pre-wrap"
    >
      {textParts(text).map((part) => {
        const key = place
        place += part.text.length
        return part.kind === 'text' ? (
          <bdi key={key}>{part.text}</bdi>
        ) : (
          <MessageLink key={key} text={part.text} href={part.href} host={part.host} />
        )
      })}
    </p>
  )
}

/** An external link in a new window without an opener. Its target is always visible. */
function MessageLink({ text, href, host }: { text: string; href: string; host: string }) {
  const showsHost = text.toLowerCase().includes(host)
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      dir="ltr"
      className="rounded-sm text-link underline decoration-link/50 underline-offset-2 hover:decoration-link"
    >
      <bdi>{text}</bdi>
      {!showsHost && <span className="text-muted"> ({host})</span>}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
