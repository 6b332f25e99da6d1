import type { ChatMessage, ChatRestriction, HeldMessage } from '@looptide/contracts/http/chat'
import { topics } from '@looptide/contracts/realtime'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import useSWR from 'swr'
import { keyOf } from '../../lib/api/use-call.ts'
import { usePushedChanges } from '../../lib/api/use-pushed-changes.ts'
import { inlinePart } from '../../lib/browser/part.tsx'
import { api, serverClock } from '../../lib/clients.ts'
import { paths } from '../../lib/paths.ts'
import { useRandomDelay } from '../../lib/realtime/use-random-delay.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { CreateAccountTo } from '../../lib/session/create-account-to.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { localNowMs } from '../../lib/time/server-clock.ts'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { endText, restrictionText } from './composer-rules.ts'
import { MessageForm } from './message-form.tsx'

const HeldMessages = inlinePart(async () => (await import('./held-messages.tsx')).HeldMessages)

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
  const { restriction, waitUntilMs, newAccountSlowModeS, held, refresh } = useChatPermissions(
    channelId,
    userId,
  )
  const wasWriting = useRef(false)
  return (
    <Frame>
      {held.length > 0 && <HeldMessages held={held} userId={userId} />}
      {restriction ? (
        <Closed restriction={restriction} takesFocus={wasWriting.current} />
      ) : (
        <MessageForm
          channelId={channelId}
          userId={userId}
          slowModeS={Math.max(slowModeS, newAccountSlowModeS)}
          waitUntilMs={waitUntilMs}
          onSent={(sent) => {
            const isHeld = 'heldId' in sent
            if (!isHeld) onSent(sent)
            if (isHeld || newAccountSlowModeS > 0) refresh()
          }}
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

interface Permissions {
  restrictions: readonly ChatRestriction[]
  /** When slow mode allows the next message, by the local clock (see `localNowMs`). */
  waitUntilMs: number
  newAccountSlowModeS: number
  held: readonly HeldMessage[]
}

const NOTHING_KNOWN: Permissions = { restrictions: [], waitUntilMs: 0, newAccountSlowModeS: 0, held: [] }

/** Longest timer in ms; longer waits are checked again in between, because very long timers fire at once. */
const MAX_TIMER_MS = 3_600_000

/**
 * Whether the user may write in a channel: fetched once, then updated by pushes on the user's topic. `restriction` is
 * the active one that lasts longest, if any.
 */
function useChatPermissions(
  channelId: string,
  userId: string,
): Omit<Permissions, 'restrictions'> & { restriction: ChatRestriction | undefined; refresh: () => void } {
  const reading = { userId, shape: 'derived' } as const
  const answer = useSWR(
    keyOf('GET /api/chat/channels/:id/permissions', { params: { id: channelId } }, reading),
    async ([call, input]): Promise<Permissions> => {
      const { waitMs, ...permissions } = await api.call(call, input)
      return { ...permissions, waitUntilMs: localNowMs() + waitMs }
    },
  )
  const { data, mutate } = answer
  const changes = usePushedChanges<Permissions, RestrictionChange>(answer, {
    apply: (known, pushed) => ({ ...known, restrictions: pushed.reduce(afterChange, known.restrictions) }),
    delayMs: 0,
  })
  // Different for each user and not cached, so the requests of clients that rejoin together are spread.
  const reload = useRandomDelay(() => void mutate())
  useTopic(
    'user',
    topics.user(userId),
    {
      restricted: ({ restrictionType, expiresAt }) => changes.push({ restrictionType, expiresAt }),
      unrestricted: ({ restrictionType }) => changes.push({ restrictionType }),
      held_message: () => changes.reload(),
    },
    reload,
  )

  const { restrictions, ...permissions } = data ?? NOTHING_KNOWN
  const restriction = useLongestActive(restrictions)
  return { ...permissions, restriction, refresh: () => void mutate() }
}

/** A restriction that was added, or lifted if `expiresAt` is undefined (null means no end). */
type RestrictionChange = Pick<ChatRestriction, 'restrictionType'> &
  Partial<Pick<ChatRestriction, 'expiresAt'>>

function afterChange(
  known: readonly ChatRestriction[],
  { restrictionType, expiresAt }: RestrictionChange,
): ChatRestriction[] {
  const others = known.filter((restriction) => restriction.restrictionType !== restrictionType)
  return expiresAt === undefined ? others : [...others, { restrictionType, expiresAt }]
}

const endOf = ({ expiresAt }: ChatRestriction): number =>
  expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)

/** The restriction that lasts longest, until it expires. */
function useLongestActive(restrictions: readonly ChatRestriction[]): ChatRestriction | undefined {
  const [nowMs, setNowMs] = useState(() => serverClock.nowMs())
  const longest = restrictions.toSorted((a, b) => endOf(b) - endOf(a))[0]
  const endMs = longest && endOf(longest)
  useEffect(() => {
    if (endMs === undefined || endMs === Number.POSITIVE_INFINITY) return
    const leftMs = endMs - serverClock.nowMs()
    const timer = setTimeout(() => setNowMs(serverClock.nowMs()), Math.min(Math.max(0, leftMs), MAX_TIMER_MS))
    return () => clearTimeout(timer)
  }, [endMs, nowMs])
  return longest && endOf(longest) > nowMs ? longest : undefined
}
