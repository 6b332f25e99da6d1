import type { Programme } from '@looptide/contracts/http/channels'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useConfig } from '../../lib/api/use-config.ts'
import { dialogPart, inlinePart } from '../../lib/browser/part.tsx'
import type { TopicState } from '../../lib/realtime/shared-topic.ts'
import { useSession } from '../../lib/session/session.tsx'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { IconButton } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { ChatComposer } from './chat-composer.tsx'
import type { MessageIntent } from './chat-line.tsx'
import { ChatList } from './chat-list.tsx'
import type { ChatLog } from './chat-log.ts'
import { authorName } from './chat-rows.ts'
import { type Chat, useChat } from './use-chat.ts'

const ModerationDialog = dialogPart(async () => (await import('./moderation-dialog.tsx')).ModerationDialog)
const ModeratorTools = inlinePart(async () => (await import('./moderator-tools.tsx')).ModeratorTools)
const ReportDialog = dialogPart(async () => (await import('./report-dialog.tsx')).ReportDialog)
const ChatOfThen = inlinePart(async () => (await import('./chat-of-then.tsx')).ChatOfThen)
const OpenPoll = inlinePart(async () => (await import('./open-poll.tsx')).OpenPoll)

interface ChatPanelProps {
  channelId: string
  /** The viewer count of the channel; undefined until received. */
  viewers?: number | undefined
  /** The programmes of the channel from the current one on, where they are known. */
  programmes?: readonly Programme[] | undefined
  onClose?: () => void
}

interface OpenDialog {
  message: ChatMessage
  intent: MessageIntent
}

/** The chat of a channel: messages and composer. Remount it (by `key`) for another channel. */
export function ChatPanel({ channelId, viewers, programmes, onClose }: ChatPanelProps) {
  const chat = useChat(channelId)
  const { userId } = useSession()
  const { requests } = useConfig()
  const panel = useRef<HTMLElement>(null)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const announcement = useAnnouncements(chat.log, userId)
  const onAct = useCallback(
    (message: ChatMessage, intent: MessageIntent) => setDialog({ message, intent }),
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
      <ChatHeader channelId={channelId} chat={chat} viewers={viewers} onClose={onClose} />
      <ConnectionNotice connection={chat.connection} />
      {requests && <OpenPoll channelId={channelId} />}
      {programmes && <ChatOfThen programmes={programmes} />}
      <ChatList channelId={channelId} chat={chat} onAct={onAct} />
      <ChatComposer channelId={channelId} slowModeS={chat.slowModeS} onSent={chat.add} />
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      {dialog && <MessageDialog {...dialog} chat={chat} onClose={() => setDialog(null)} />}
    </section>
  )
}

function MessageDialog({ message, intent, chat, onClose }: OpenDialog & { chat: Chat; onClose: () => void }) {
  if (intent === 'report') return <ReportDialog message={message} onClose={onClose} />
  return (
    <ModerationDialog
      message={message}
      intent={intent}
      onRemoved={() => chat.remove(message.id)}
      onClose={onClose}
    />
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
        panel.current?.querySelector<HTMLElement>('[aria-label="Messages"]')?.focus({ preventScroll: true })
      })
    }
  }, [dialog, panel])
}

function ChatHeader({ channelId, chat, viewers, onClose }: ChatPanelProps & { chat: Chat }) {
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
        {may('chat:moderate') && <ModeratorTools channelId={channelId} chat={chat} />}
        {onClose && <IconButton icon="close" label="Close chat" onClick={onClose} />}
      </div>
    </header>
  )
}

/** Shorter interruptions are not shown, in ms. */
const SHOWN_AFTER_MS = 3_000

/** A notice that new messages do not arrive, once the connection has been lost for a while. */
function ConnectionNotice({ connection }: { connection: TopicState }) {
  const [isLong, setLong] = useState(false)
  const isDown = connection === 'down'
  useEffect(() => {
    if (!isDown) return setLong(false)
    const timer = setTimeout(() => setLong(true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isDown])
  if (!isDown || !isLong) return null
  return (
    <Spinner
      text="Connection lost. Missed messages will appear when you reconnect."
      className="shrink-0 border-b border-line bg-raised px-4 py-2 text-sm text-muted [&>span:first-child]:size-4"
    />
  )
}

/** Minimum interval of announcements, in ms, so that a busy chat does not drown out other speech. */
const EVERY_MS = 5_000

/** The text of a polite live region: new messages of others since the last announcement. */
function useAnnouncements(log: ChatLog, ownId: string | undefined): string {
  const [text, setText] = useState('')
  const lastAnnounced = useRef<number | null>(null)
  const newestSeq = log.messages.at(-1)?.seq ?? log.syncedSeq

  const announce = useEffectEvent(() => {
    const announcedSeq = lastAnnounced.current
    if (announcedSeq === null) return
    const news = log.messages.filter(({ seq, userId }) => seq > announcedSeq && userId !== ownId)
    lastAnnounced.current = newestSeq
    if (news.length > 0) setText(announcement(news))
  })

  useEffect(() => {
    if (newestSeq === null) return
    // Messages that were there before are not announced.
    if (lastAnnounced.current === null) lastAnnounced.current = newestSeq
    if (newestSeq <= lastAnnounced.current) return
    const timer = setTimeout(() => announce(), EVERY_MS)
    return () => clearTimeout(timer)
  }, [newestSeq])
  return text
}

function announcement(news: readonly ChatMessage[]): string {
  const last = news.at(-1)
  if (last === undefined) return ''
  const text = `${authorName(last)}: ${last.message}`
  return news.length === 1 ? text : `${news.length} new messages. ${text}`
}

/** A smaller inset is a browser toolbar, not a keyboard. */
const KEYBOARD_AT_LEAST_PX = 120

/**
 * Keeps the bottom of the panel above an on-screen keyboard that covers the page instead of resizing it (Safari on iOS;
 * elsewhere the viewport's `interactive-widget` does this). Sets `--keyboard-inset` on the panel.
 */
function useKeyboardInset(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const fit = () => {
      const covered = window.innerHeight - viewport.height - viewport.offsetTop
      const isKeyboard = viewport.scale === 1 && covered >= KEYBOARD_AT_LEAST_PX
      panel.current?.style.setProperty('--keyboard-inset', isKeyboard ? `${Math.round(covered)}px` : '0px')
    }
    viewport.addEventListener('resize', fit)
    viewport.addEventListener('scroll', fit)
    return () => {
      viewport.removeEventListener('resize', fit)
      viewport.removeEventListener('scroll', fit)
    }
  }, [panel])
}
