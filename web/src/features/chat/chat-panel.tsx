import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useSession } from '../../lib/session.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChatInput } from './chat-input.tsx'
import { ChatLine } from './chat-line.tsx'
import { type Chat, useChat } from './use-chat.ts'

/** Whoever has scrolled further up than this is reading back, and stays where they are. */
const NEAR_END_PX = 80

/** The chat of a channel: what is said, and a place to say something. */
export function ChatPanel({ channelId, onClose }: { channelId: string; onClose?: () => void }) {
  const chat = useChat(channelId)
  return (
    <section aria-label="Chat" className="flex h-full min-h-0 flex-col bg-panel">
      <header className="flex h-14 shrink-0 items-center justify-between border-b border-line pr-2 pl-4">
        <h2 className="font-semibold">Live Chat</h2>
        {onClose && <IconButton icon="close" label="Close chat" onClick={onClose} />}
      </header>
      <Messages chat={chat} />
      <ChatInput channelId={channelId} onSent={chat.add} />
    </section>
  )
}

function Messages({ chat }: { chat: Chat }) {
  const { userId, isAdmin } = useSession()
  const end = useRef<HTMLDivElement>(null)
  useStayAtEnd(end, chat.messages)

  return (
    <div
      ref={end}
      role="log"
      aria-label="Messages"
      aria-live="polite"
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-3 focus-visible:outline-offset-[-3px]"
    >
      {chat.isLoading && <LinesSkeleton />}
      {chat.hasFailed && (
        <div className="grid justify-items-start gap-3 py-4 text-sm text-muted">
          <p>The chat cannot be loaded right now.</p>
          <Button onClick={chat.reload}>Try again</Button>
        </div>
      )}
      {!chat.isLoading && !chat.hasFailed && chat.messages.length === 0 && (
        <p className="py-4 text-sm text-muted">Nobody has said anything yet. Be the first.</p>
      )}
      <ul className="grid gap-3">
        {chat.messages.map((message) => (
          <ChatLine key={message.id} message={message} isOwn={message.userId === userId} mayBan={isAdmin} />
        ))}
      </ul>
    </div>
  )
}

/** Follows the newest message as long as one has not scrolled up to read back. */
function useStayAtEnd(list: RefObject<HTMLElement | null>, messages: unknown): void {
  const heightBefore = useRef(0)
  useLayoutEffect(() => {
    const element = list.current
    if (!element || messages === undefined) return
    // What scrolls must be reachable by keyboard.
    element.tabIndex = 0
    const wasAtEnd = heightBefore.current - element.scrollTop - element.clientHeight < NEAR_END_PX
    if (wasAtEnd) element.scrollTop = element.scrollHeight
    heightBefore.current = element.scrollHeight
  }, [list, messages])
}

function LinesSkeleton() {
  return (
    <div className="grid gap-4 py-1">
      {['w-3/4', 'w-1/2', 'w-5/6', 'w-2/3'].map((width) => (
        <div key={width} className="grid gap-1.5">
          <Skeleton className="h-3.5 w-20" />
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </div>
  )
}
