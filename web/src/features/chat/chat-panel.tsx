import type { ChatMessage } from '@looptide/contracts/http/chat'
import { lazy, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '../../lib/session/session.tsx'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { IconButton } from '../../ui/button.tsx'
import { ChatComposer } from './chat-composer.tsx'
import type { ModerationIntent } from './chat-line.tsx'
import { ChatList } from './chat-list.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { useAnnouncements } from './use-announcements.ts'
import { type Chat, useChat } from './use-chat.ts'
import { useKeyboardInset } from './use-keyboard-inset.ts'

const ModerationDialog = lazy(async () => ({
  default: (await import('./moderation-dialog.tsx')).ModerationDialog,
}))
const SlowModeDialog = lazy(async () => ({
  default: (await import('./slow-mode-dialog.tsx')).SlowModeDialog,
}))

interface ChatPanelProps {
  channelId: string
  /** The viewer count of the channel; undefined until received. */
  viewers?: number | undefined
  onClose?: () => void
}

type OpenDialog = { kind: 'slow mode' } | { kind: 'message'; message: ChatMessage; intent: ModerationIntent }

/** The chat of a channel: messages and composer. Remount it (by `key`) for another channel. */
export function ChatPanel({ channelId, viewers, onClose }: ChatPanelProps) {
  const chat = useChat(channelId)
  const { userId } = useSession()
  const panel = useRef<HTMLElement>(null)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const announcement = useAnnouncements(chat.log, userId)
  const onModerate = useCallback(
    (message: ChatMessage, intent: ModerationIntent) => setDialog({ kind: 'message', message, intent }),
    [],
  )
  useFocusAfter(dialog, panel)
  useKeyboardInset(panel)

  return (
    <section
      ref={panel}
      aria-label="Chat"
      className="@container-[size] flex h-full min-h-0 flex-col bg-panel pb-(--keyboard-inset,0)"
    >
      <ChatHeader viewers={viewers} onClose={onClose} onSlowMode={() => setDialog({ kind: 'slow mode' })} />
      <ConnectionNotice connection={chat.connection} />
      <ChatList channelId={channelId} chat={chat} onModerate={onModerate} />
      <ChatComposer channelId={channelId} slowModeS={chat.slowModeS} onSent={chat.add} />
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      <Suspense>
        <Dialogs channelId={channelId} chat={chat} dialog={dialog} onClose={() => setDialog(null)} />
      </Suspense>
    </section>
  )
}

/** Focuses the list if the button that opened a dialog was removed with its message. */
function useFocusAfter(dialog: OpenDialog | null, panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (dialog === null) return
    return () => {
      // After the dialog has restored the focus, which it does in a separate task.
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        panel.current?.querySelector<HTMLElement>('[role="log"]')?.focus({ preventScroll: true })
      })
    }
  }, [dialog, panel])
}

type ChatHeaderProps = Pick<ChatPanelProps, 'viewers' | 'onClose'> & { onSlowMode: () => void }

function ChatHeader({ viewers, onClose, onSlowMode }: ChatHeaderProps) {
  const { may } = useSession()
  return (
    <header className="flex h-14 shrink-0 items-center gap-3 border-b border-line pr-2 pl-4 [@container(max-height:13rem)]:hidden">
      <h2 className="font-semibold">Live Chat</h2>
      {viewers !== undefined && (
        <p className="truncate text-sm text-muted tabular-nums">
          {viewers.toLocaleString(dateLocale)} watching
        </p>
      )}
      <div className="ml-auto flex">
        {may('chat:moderate') && <IconButton icon="clock" label="Slow mode" onClick={onSlowMode} />}
        {onClose && <IconButton icon="close" label="Close chat" onClick={onClose} />}
      </div>
    </header>
  )
}

interface DialogsProps {
  channelId: string
  chat: Chat
  dialog: OpenDialog | null
  onClose: () => void
}

function Dialogs({ channelId, chat, dialog, onClose }: DialogsProps) {
  if (dialog === null) return null
  if (dialog.kind === 'slow mode') {
    return (
      <SlowModeDialog
        channelId={channelId}
        slowModeS={chat.slowModeS}
        onChanged={chat.setSlowMode}
        onClose={onClose}
      />
    )
  }
  return (
    <ModerationDialog
      message={dialog.message}
      intent={dialog.intent}
      onRemoved={() => chat.remove(dialog.message.id)}
      onClose={onClose}
    />
  )
}
