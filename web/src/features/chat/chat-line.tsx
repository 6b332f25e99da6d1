import type { ChatMessage } from '@looptide/contracts/http/chat'
import { memo } from 'react'
import { inlinePart } from '../../lib/browser/part.tsx'
import { clockTime } from '../../lib/time/date-locale.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { authorName, type ChatRow } from './chat-rows.ts'
import { textParts } from './text-parts.ts'

const PollResult = inlinePart(async () => (await import('./poll-result.tsx')).PollResult)

/** The actions available to the reader: moderation, or a report to the moderators. */
export type MessageIntent = 'moderate' | 'ban' | 'report'

type ChatLineProps = Pick<ChatRow, 'message' | 'isContinued'> & {
  isOwn: boolean
  mayModerate: boolean
  mayBan: boolean
  mayReport: boolean
  onAct: (message: ChatMessage, intent: MessageIntent) => void
}

/** One message with author and time, and buttons for moderators, or one that reports it. */
export const ChatLine = memo(function ChatLine({ message, isContinued, isOwn, ...rights }: ChatLineProps) {
  const name = authorName(message)
  const time = clockTime(Date.parse(message.createdAt))
  return (
    <li
      data-seq={message.seq}
      title={isContinued ? time : undefined}
      className={classNames(
        'group relative px-4 text-sm leading-relaxed lg:text-base/relaxed',
        isContinued ? 'pb-1' : 'mt-1.5 py-1',
        isOwn && 'border-l-2 border-link bg-link/8 pl-3.5',
        (rights.mayModerate || rights.mayBan || rights.mayReport) && 'pr-12',
        rights.mayModerate && rights.mayBan && 'pr-20',
      )}
    >
      <div className={isContinued ? 'sr-only' : 'flex min-w-0 items-baseline gap-2'}>
        <bdi className={classNames('truncate font-semibold', isOwn && 'text-link')}>{name}</bdi>
        {isOwn && <span className="sr-only">(you)</span>}
        <RoleTag role={message.author.role} />
        <time dateTime={message.createdAt} className="shrink-0 text-xs text-muted tabular-nums">
          {time}
        </time>
      </div>
      <LineActions {...rights} message={message} isContinued={isContinued} name={name} />
      {message.poll ? <PollResult poll={message.poll} /> : <MessageText text={message.message} />}
    </li>
  )
})

/** The badge of admins (docs/product/viewer.md §6) and moderators. */
function RoleTag({ role }: { role: ChatMessage['author']['role'] }) {
  if (role === 'user') return null
  return (
    <span
      className={classNames(
        'shrink-0 rounded-sm px-1.5 text-xs leading-5 font-semibold',
        role === 'admin' ? 'bg-accent text-on-accent' : 'bg-line text-text',
      )}
    >
      {role}
    </span>
  )
}

type LineActionsProps = Pick<
  ChatLineProps,
  'message' | 'isContinued' | 'mayModerate' | 'mayBan' | 'mayReport' | 'onAct'
> & {
  name: string
}

/** The buttons are before the text, so that Enter in the list goes to the text's link first. */
function LineActions({ message, isContinued, name, onAct, ...rights }: LineActionsProps) {
  const actions = [
    { intent: 'moderate', icon: 'more', label: `Moderate ${name}`, isShown: rights.mayModerate },
    { intent: 'ban', icon: 'ban', label: `Ban ${name} from chat`, isShown: rights.mayBan },
    { intent: 'report', icon: 'flag', label: `Report ${name}`, isShown: rights.mayReport },
  ] as const
  return (
    <div className={classNames('absolute right-2 flex', isContinued ? 'top-0' : 'top-1')}>
      {actions.map(
        ({ intent, icon, label, isShown }) =>
          isShown && (
            <IconButton
              key={intent}
              icon={icon}
              label={label}
              className="size-7 min-h-7 opacity-60 hover:opacity-100 focus-visible:opacity-100"
              onClick={() => onAct(message, intent)}
            />
          ),
      )}
    </div>
  )
}

/** A message's text. Nothing in it is interpreted as markup; only URLs become links. */
function MessageText({ text }: { text: string }) {
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
