import type { ChatMessage, ChatRestriction } from '@looptide/contracts/http/chat'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { serverClock } from '../../lib/clients.ts'
import { paths } from '../../lib/paths.ts'
import { CreateAccountTo } from '../../lib/session/create-account-to.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { endText, restrictionText } from './composer-rules.ts'
import { MessageForm } from './message-form.tsx'
import { useChatPermissions } from './use-chat-permissions.ts'

interface ChatComposerProps {
  channelId: string
  slowModeS: number
  onSent: (message: ChatMessage) => void
}

/** The message form, or the reason why the user cannot write. */
export function ChatComposer(props: ChatComposerProps) {
  const { status, userId, isAnonymous } = useSession()
  if (status === 'signed-out') return <LogIn />
  if (userId === undefined) {
    return (
      <Frame>
        <Skeleton className="h-11" />
      </Frame>
    )
  }
  if (isAnonymous) {
    return (
      <Frame>
        <CreateAccountTo purpose="write in the chat" className="content-center px-1 min-h-11" />
      </Frame>
    )
  }
  return <MemberComposer key={userId} {...props} userId={userId} />
}

function Frame({ children }: { children: ReactNode }) {
  return <div className="shrink-0 border-t border-line p-3">{children}</div>
}

/** A sign-in link that returns to this page. */
function LogIn() {
  const { pathname, search } = useLocation()
  return (
    <Frame>
      <p className="flex min-h-11 items-center px-1 text-sm text-muted">
        <Link
          to={paths.signIn(pathname + search)}
          className="rounded-sm font-semibold text-link underline underline-offset-4"
        >
          Please log in to chat
        </Link>
      </p>
    </Frame>
  )
}

function MemberComposer({ channelId, slowModeS, onSent, userId }: ChatComposerProps & { userId: string }) {
  const { restriction, waitUntilMs, refresh } = useChatPermissions(channelId, userId)
  const wasWriting = useRef(false)
  return (
    <Frame>
      {restriction ? (
        <Closed restriction={restriction} takesFocus={wasWriting.current} />
      ) : (
        <MessageForm
          channelId={channelId}
          userId={userId}
          slowModeS={slowModeS}
          waitUntilMs={waitUntilMs}
          onSent={onSent}
          onStale={refresh}
          onFocusChange={(isFocused) => {
            wasWriting.current = isFocused
          }}
        />
      )}
    </Frame>
  )
}

/** The reason of a restriction; takes the focus if the message field had it. */
function Closed({ restriction, takesFocus }: { restriction: ChatRestriction; takesFocus: boolean }) {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (takesFocus) text.current?.focus()
  }, [takesFocus])
  const { expiresAt } = restriction
  const end = expiresAt === null ? null : endText(expiresAt, new Date(serverClock.nowMs()))
  return (
    <p
      ref={text}
      role="alert"
      tabIndex={-1}
      className="flex min-h-11 items-center gap-3 rounded-md border border-line bg-raised px-3.5 py-2.5 text-sm"
    >
      <Icon name="ban" className="size-5 shrink-0 text-muted" />
      {restrictionText(restriction, end)}
    </p>
  )
}
