import type { ChatMessage } from '@looptide/contracts/http/chat'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useSession } from '../../lib/session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { ChatLine, type MessageIntent } from './chat-line.tsx'
import { type ChatLog, countAfter } from './chat-log.ts'
import { chatRows } from './chat-rows.ts'
import { ChatLinesSkeleton } from './chat-skeleton.tsx'
import { markRead, readPosition } from './read-positions.ts'
import type { Chat } from './use-chat.ts'
import { useScroll } from './use-scroll.ts'

interface ChatListProps {
  channelId: string
  chat: Chat
  onAct: (message: ChatMessage, intent: MessageIntent) => void
}

/** The message list. It follows new messages, keeps its position while reading back, and Enter focuses its links. */
export function ChatList({ channelId, chat, onAct }: ChatListProps) {
  const { log } = chat
  const list = useRef<HTMLDivElement>(null)
  const reading = useReading(channelId, log)
  const { userId } = useSession()
  const { toEnd } = useScroll({
    list,
    content: log.messages,
    isFollowing: log.isFollowing,
    onFollow: chat.setFollowing,
    onNearStart: chat.older.state === 'idle' ? chat.older.load : () => undefined,
  })
  const newCount = log.isFollowing ? 0 : countAfter(log, reading.readSeq, userId)
  const returnToEnd = () => {
    list.current?.focus({ preventScroll: true })
    chat.setFollowing(true)
    toEnd()
  }

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={list}
        role="log"
        aria-label="Messages"
        // New messages are announced by a separate live region, in batches.
        aria-live="off"
        onKeyDown={onListKey}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-3 [overflow-anchor:none] focus-visible:outline-offset-[-3px]"
      >
        <ChatContent chat={chat} newFromSeq={reading.newFromSeq} onAct={onAct} />
      </div>
      {!log.isFollowing && (
        <Button
          tone="primary"
          icon="down"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 animate-fade rounded-full whitespace-nowrap shadow-lift"
          onClick={returnToEnd}
        >
          {newCount === 0 ? 'Jump to latest' : newCount === 1 ? '1 new message' : `${newCount} new messages`}
        </Button>
      )}
    </div>
  )
}

function ChatContent(props: Omit<ChatListProps, 'channelId'> & { newFromSeq: number | null }) {
  const { chat } = props
  if (chat.isLoading) return <ChatLinesSkeleton />
  if (chat.hasFailed) return <ErrorNotice text="The chat could not be loaded." onRetry={chat.reload} />
  if (chat.log.messages.length === 0) {
    return <p className="px-4 py-6 text-center text-muted">No messages yet. Say hello!</p>
  }
  return (
    // Arrow keys scroll the list; Enter focuses a link or button inside.
    <div className="lrud-ignore">
      <Beginning chat={chat} />
      <Lines {...props} />
    </div>
  )
}

function Lines({
  chat,
  newFromSeq,
  onAct,
}: Omit<ChatListProps, 'channelId'> & { newFromSeq: number | null }) {
  const { userId, isAnonymous, may } = useSession()
  const mayReport = userId !== undefined && !isAnonymous && !may('chat:moderate')
  return (
    <ul>
      {chatRows(chat.log.messages, newFromSeq, new Date()).map(
        ({ message, day, isFirstNew, isContinued }) => {
          const isOwn = message.userId === userId
          return [
            day && <Divider key={`${message.id} day`}>{day}</Divider>,
            isFirstNew && (
              <Divider key={`${message.id} new`} isNew>
                New
              </Divider>
            ),
            <ChatLine
              key={message.id}
              message={message}
              isContinued={isContinued}
              isOwn={isOwn}
              mayModerate={may('chat:moderate')}
              mayBan={may('users:manage') && !isOwn}
              mayReport={mayReport && !isOwn}
              onAct={onAct}
            />,
          ]
        },
      )}
    </ul>
  )
}

/** The start of the list: older messages are loading, available, or there are none. */
function Beginning({ chat: { log, older } }: { chat: Chat }) {
  if (!log.hasOlder) return <p className="px-4 pb-2 text-center text-xs text-muted">Start of the chat.</p>
  if (older.state !== 'failed') {
    return (
      <p className="px-4 pb-2 text-center text-xs text-muted">
        {older.state === 'loading' ? 'Loading earlier messages...' : 'Scroll up for earlier messages'}
      </p>
    )
  }
  return (
    <div role="alert" className="grid justify-items-center gap-2 px-4 pb-3 text-sm text-muted">
      <p>Earlier messages could not be loaded.</p>
      <Button onClick={older.load}>Try again</Button>
    </div>
  )
}

function Divider({ isNew = false, children }: { isNew?: boolean; children: ReactNode }) {
  const line = isNew ? 'h-px flex-1 bg-live' : 'h-px flex-1 bg-line'
  return (
    <li className="flex items-center gap-3 px-4 pt-4 pb-1 text-xs font-semibold text-muted">
      <span aria-hidden="true" className={line} />
      {isNew ? <span className="rounded-sm bg-live px-1.5 py-0.5 text-on-live">{children}</span> : children}
      <span aria-hidden="true" className={line} />
    </li>
  )
}

const STEPS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }
const OUT = new Set(['Escape', 'Backspace', 'GoBack', 'BrowserBack'])

/**
 * On the list itself arrow keys scroll (see `useRemoteControl`). Enter focuses the last visible link or button. From
 * there arrow keys move to the next or previous one; Escape, or moving past the last, returns to the list.
 */
function onListKey(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: list, key } = event
  const targets = [...list.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)')]
  const index = targets.indexOf(document.activeElement as HTMLElement)
  const isInside = index >= 0
  if (!isInside && key !== 'Enter') return
  const next = isInside ? targetAfter(key, index, targets, list) : lastInSight(targets, list)
  if (!next) return
  event.preventDefault()
  next.focus({ preventScroll: next === list })
  if (next !== list) next.scrollIntoView({ block: 'nearest' })
}

function targetAfter(key: string, index: number, targets: HTMLElement[], list: HTMLElement) {
  if (OUT.has(key)) return list
  const step = STEPS[key]
  if (step === undefined) return undefined
  return targets[index + step] ?? (step === 1 ? list : targets[index])
}

function lastInSight(targets: HTMLElement[], list: HTMLElement): HTMLElement | undefined {
  const { top, bottom } = list.getBoundingClientRect()
  return targets.findLast((target) => {
    const box = target.getBoundingClientRect()
    return box.top >= top && box.bottom <= bottom
  })
}

/**
 * Tracks the read position of a channel's chat: the newest message while it is visible. `newFromSeq` is the read
 * position before the chat was opened or the tab was hidden, if there are new messages since; else null.
 */
function useReading(channelId: string, log: ChatLog): { readSeq: number; newFromSeq: number | null } {
  const [leftAtSeq, setLeftAtSeq] = useState<number | null>(() => readPosition(channelId) ?? null)
  const [isLooking, setLooking] = useState(() => document.visibilityState === 'visible')
  // Deleted messages count as read.
  const seenSeq = log.syncedSeq === null ? null : Math.max(log.syncedSeq, log.messages.at(-1)?.seq ?? 0)
  const isReading = isLooking && log.isFollowing && log.syncedSeq !== null

  useEffect(() => {
    const onChange = () => {
      const isVisible = document.visibilityState === 'visible'
      setLooking(isVisible)
      if (!isVisible) setLeftAtSeq(readPosition(channelId) ?? null)
    }
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [channelId])

  // Set once per return of the reader: messages that arrive later are read on arrival.
  const [newFrom, setNewFrom] = useState<{ leftAtSeq: number | null; newFromSeq: number | null }>()
  if (isReading && newFrom?.leftAtSeq !== leftAtSeq) {
    const hasNew = leftAtSeq !== null && (seenSeq ?? 0) > leftAtSeq
    setNewFrom({ leftAtSeq, newFromSeq: hasNew ? leftAtSeq : null })
  }

  useEffect(() => {
    if (isReading && seenSeq !== null) markRead(channelId, seenSeq)
  }, [channelId, isReading, seenSeq])

  return { readSeq: readPosition(channelId) ?? 0, newFromSeq: newFrom?.newFromSeq ?? null }
}
