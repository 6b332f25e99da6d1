import type { ChatRestriction } from '@looptide/contracts/http/chat'
import { topics } from '@looptide/contracts/realtime'
import { useEffect, useState } from 'react'
import useSWR from 'swr'
import { keyOf } from '../../lib/api/use-call.ts'
import { usePushedChanges } from '../../lib/api/use-pushed-changes.ts'
import { api, serverClock } from '../../lib/clients.ts'
import { useRandomDelay } from '../../lib/realtime/use-random-delay.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { localNowMs } from '../../lib/time/server-clock.ts'

interface Permissions {
  restrictions: readonly ChatRestriction[]
  /** When slow mode allows the next message, by the local clock (see `localNowMs`). */
  waitUntilMs: number
}

/** Longest timer in ms; longer waits are checked again in between, because very long timers fire at once. */
const MAX_TIMER_MS = 3_600_000

/**
 * Whether the user may write in a channel: fetched once, then updated by pushes on the user's topic. `restriction` is
 * the active one that lasts longest, if any.
 */
export function useChatPermissions(
  channelId: string,
  userId: string,
): { restriction: ChatRestriction | undefined; waitUntilMs: number; refresh: () => void } {
  const reading = { userId, shape: 'derived' } as const
  const answer = useSWR(
    keyOf('GET /api/chat/channels/:id/permissions', { params: { id: channelId } }, reading),
    async ([call, input]): Promise<Permissions> => {
      const { restrictions, waitMs } = await api.call(call, input)
      return { restrictions, waitUntilMs: localNowMs() + waitMs }
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
    },
    reload,
  )

  const restriction = useLongestActive(data?.restrictions ?? [])
  return { restriction, waitUntilMs: data?.waitUntilMs ?? 0, refresh: () => void mutate() }
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
