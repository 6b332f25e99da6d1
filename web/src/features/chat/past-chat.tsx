import type { ChatMessage, ChatPage } from '@looptide/contracts/http/chat'
import { topics } from '@looptide/contracts/realtime'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import useSWRInfinite from 'swr/infinite'
import { keyOf } from '../../lib/api/use-call.ts'
import { api } from '../../lib/clients.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { useSession } from '../../lib/session/session.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { ChatLine } from './chat-line.tsx'
import { chatRows } from './chat-rows.ts'
import { messagesBy, needsNextPage } from './messages-by.ts'

const PAGE = 100

/** The messages of a channel in [fromMs, toMs), oldest first, page by page, without removed ones. */
function usePastMessages({ channelId, fromMs, toMs }: { channelId: string; fromMs: number; toMs: number }) {
  const pages = useSWRInfinite(
    (_index: number, previous: ChatPage | null) => {
      if (previous !== null && previous.items.length < PAGE) return null
      const after = previous?.items.at(-1)?.seq
      const query = { fromMs, toMs, limit: PAGE, ...(after !== undefined && { after }) }
      return keyOf(
        'GET /api/chat/channels/:id/messages',
        { params: { id: channelId }, query },
        { anonymous: true },
      )
    },
    ([call, input]) => api.call(call, input, { anonymous: true }),
  )
  return {
    items: pages.data?.flatMap(({ items }) => items),
    error: pages.error as unknown,
    hasMore: pages.data?.at(-1)?.items.length === PAGE,
    isLoadingMore: pages.isValidating,
    loadMore: () => void pages.setSize((size) => size + 1),
    reload: () => void pages.mutate(),
  }
}

/** The chat of a channel in [fromMs, toMs), to read. */
export function PastChat(range: { channelId: string; fromMs: number; toMs: number }) {
  return (
    <ListPage
      list={usePastMessages(range)}
      loading="Loading the chat"
      skeleton={{ count: 6, className: 'mx-4 h-10' }}
      failed="The chat could not be loaded."
      empty={<p className="px-4 py-6 text-center text-muted">No messages in these minutes.</p>}
    >
      {(messages) => <PastMessages messages={messages} />}
    </ListPage>
  )
}

/** The ids of messages that have been removed since the page was opened; `reload` finds those removed while it was away. */
function useRemovedMessages(channelId: string, reload: () => void): ReadonlySet<string> {
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const onRemoved = ({ messageId }: { messageId: string }) =>
    setRemoved((known) => new Set([...known, messageId]))
  const onRestored = ({ message }: { message: ChatMessage }) => {
    setRemoved((known) => new Set([...known].filter((id) => id !== message.id)))
    reload()
  }
  const handlers = { message_removed: onRemoved, message_restored: onRestored }
  useTopic('chat', topics.chat(channelId), handlers, reload)
  return removed
}

/** The chat of a channel in [fromMs, toMs) as it was at an instant of that time. It shows the newest messages. */
export function ReplayedChat(range: {
  channelId: string
  fromMs: number
  toMs: number
  atMs: number
  label?: string
}) {
  const { channelId, fromMs, toMs, atMs, label = 'Messages' } = range
  const list = usePastMessages({ channelId, fromMs, toMs })
  const removed = useRemovedMessages(channelId, list.reload)
  const { items = [] } = list
  const needsMore = needsNextPage(list, atMs)
  const more = useEffectEvent(list.loadMore)
  useEffect(() => {
    if (needsMore) more()
  }, [needsMore])
  const shown = messagesBy(
    items.filter(({ id }) => !removed.has(id)),
    atMs,
  )
  const box = useRef<HTMLDivElement>(null)
  const lastId = shown.at(-1)?.id
  useEffect(() => {
    if (lastId !== undefined) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [lastId])
  if (list.error && items.length === 0)
    return <ErrorNotice text="The chat could not be loaded." onRetry={list.reload} />
  return (
    <div
      ref={box}
      role="log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
      tabIndex={0}
      aria-label={label}
      aria-live="off"
      className="max-h-[50dvh] min-h-40 overflow-y-auto overscroll-contain"
    >
      {shown.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted">No messages yet.</p>
      ) : (
        <PastMessages messages={shown} />
      )}
    </div>
  )
}

/** Messages to read, with their authors. */
function PastMessages({ messages }: { messages: readonly ChatMessage[] }) {
  const { userId } = useSession()
  return (
    <ul>
      {chatRows(messages, null, new Date()).map(({ message, isContinued }) => (
        <ChatLine
          key={message.id}
          message={message}
          isContinued={isContinued}
          isOwn={message.userId === userId}
          mayModerate={false}
          mayBan={false}
          mayReport={false}
          onAct={() => undefined}
        />
      ))}
    </ul>
  )
}
