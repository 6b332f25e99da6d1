import type { DecideHeldBody, WaitingMessage } from '@looptide/contracts/http/held-messages'
import { useRef } from 'react'
import { useAllPages } from '../../../lib/api/use-call.ts'
import { api } from '../../../lib/clients.ts'
import { useAction } from '../../../lib/failures.ts'
import { dayAndTime } from '../../../lib/time/date-locale.ts'
import { Button } from '../../../ui/button.tsx'
import { ListPage } from '../../../ui/list-page.tsx'
import { EmptyNotice } from '../../../ui/notice.tsx'
import { useHeldMessages } from '../api.ts'

const REASONS: Record<WaitingMessage['reason'], string> = {
  word: 'Has a word of the word list',
  link: 'Has a link, from a new account',
}

/** The messages that wait for a moderator, oldest first. */
export function HeldPanel() {
  const list = useHeldMessages()
  const channels = useAllPages('GET /api/channels', {})
  const panel = useRef<HTMLElement>(null)
  const onDecided = () => {
    list.reload()
    panel.current?.focus()
  }
  const waiting = list.first?.waiting ?? 0
  return (
    <section
      ref={panel}
      aria-label="Held messages"
      tabIndex={-1}
      className="grid max-w-3xl gap-5 outline-none"
    >
      {waiting > 0 && (
        <p role="status" className="font-semibold tabular-nums">
          {waiting === 100 ? '100 or more' : waiting} waiting
        </p>
      )}
      <ListPage
        list={list}
        loading="Loading held messages"
        skeleton={{ count: 3, className: 'h-32' }}
        failed="Failed to load the held messages."
        empty={
          <EmptyNotice title="No messages waiting">
            <p>
              Messages with words that the word list holds, and messages with links of new accounts, appear
              here at once. Only their authors see them until they are posted. After a day without a decision
              they are deleted.
            </p>
          </EmptyNotice>
        }
      >
        {(items) => (
          <ul aria-label="Held messages" className="grid gap-4">
            {items.map((message) => (
              <Held
                key={message.heldId}
                message={message}
                channelName={channels.data?.find(({ id }) => id === message.channelId)?.name}
                onDecided={onDecided}
              />
            ))}
          </ul>
        )}
      </ListPage>
    </section>
  )
}

interface HeldProps {
  message: WaitingMessage
  channelName: string | undefined
  onDecided: () => void
}

function Held({ message, channelName, onDecided }: HeldProps) {
  const { isBusy, run } = useAction()
  const { authorHandle } = message
  const author = authorHandle === null ? 'A member without a handle' : `@${authorHandle}`
  const decide = (decision: DecideHeldBody['decision']) =>
    void run(
      async () => {
        await api.call('POST /api/chat/held/:id/decision', {
          params: { id: message.heldId },
          body: { decision },
        })
        onDecided()
      },
      { title: 'Not decided', text: 'The decision could not be saved.' },
    )
  return (
    <li className="grid gap-3 rounded-lg border border-line/70 bg-panel p-4 text-sm [overflow-wrap:anywhere]">
      <h2 className="text-base font-semibold">
        <bdi>{author}</bdi> on <bdi>{channelName ?? message.channelId}</bdi>
      </h2>
      <blockquote dir="auto" className="border-l-2 border-accent pl-3 text-base whitespace-pre-wrap">
        {message.message}
      </blockquote>
      <p className="text-muted">
        {dayAndTime(Date.parse(message.heldAt))}. {REASONS[message.reason]}.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" isBusy={isBusy} onClick={() => decide('post')}>
          Post<span className="sr-only"> the message of {author}</span>
        </Button>
        <Button isBusy={isBusy} onClick={() => decide('reject')}>
          Reject<span className="sr-only"> the message of {author}</span>
        </Button>
      </div>
    </li>
  )
}
