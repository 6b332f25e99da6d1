import type { ChatPermissions, ChatRestriction } from '@looptide/contracts/http/chat'
import { topics } from '@looptide/contracts/realtime'
import { useEffect, useState } from 'react'
import useSWR from 'swr'
import { api, serverClock } from '../../lib/clients.ts'
import { localNowMs } from '../../lib/server-clock.ts'
import { usePushedChanges } from '../../lib/use-pushed-changes.ts'
import { useSpread } from '../../lib/use-spread.ts'
import { useTopic } from '../../lib/use-topic.ts'
import { channelPath } from './api.ts'

type Standing = {
  restrictions: readonly ChatRestriction[]
  /** Until when slow mode has one wait, by the local clock (see `localNowMs`). */
  waitUntilMs: number
}

/** Timers beyond this many ms fire at once; a longer wait is looked at again in between. */
const LONGEST_TIMER_MS = 3_600_000

/**
 * Whether somebody may write in a channel: asked once, then told at once by the person's own topic. `restriction` is
 * the one in force that lasts longest, undefined when there is none.
 */
export function useStanding(
  channelId: string,
  userId: string,
): { restriction: ChatRestriction | undefined; waitUntilMs: number; refresh: () => void } {
  const answer = useSWR(
    [`${channelPath(channelId)}/permissions`, userId],
    async ([path]): Promise<Standing> => {
      const { restrictions, waitMs } = await api.get<ChatPermissions>(path)
      return { restrictions, waitUntilMs: localNowMs() + waitMs }
    },
  )
  const { data, mutate } = answer
  const changes = usePushedChanges<Standing, RestrictionChange>(answer, {
    apply: (known, pushed) => ({ ...known, restrictions: pushed.reduce(afterChange, known.restrictions) }),
    delayMs: 0,
  })
  // Each person's own answer: no gateway has it for all who come back after a restart.
  const askAgain = useSpread(() => void mutate())
  useTopic(
    'user',
    topics.user(userId),
    {
      restricted: ({ restrictionType, expiresAt }) => changes.push({ restrictionType, expiresAt }),
      unrestricted: ({ restrictionType }) => changes.push({ restrictionType }),
    },
    askAgain,
  )

  const restriction = useInForce(data?.restrictions ?? [])
  return { restriction, waitUntilMs: data?.waitUntilMs ?? 0, refresh: () => void mutate() }
}

/** A restriction that was set; without an end (null is "for ever") it was lifted. */
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

/** The restriction that lasts longest, until its time is over. */
function useInForce(restrictions: readonly ChatRestriction[]): ChatRestriction | undefined {
  const [nowMs, setNowMs] = useState(() => serverClock.nowMs())
  const longest = restrictions.toSorted((a, b) => endOf(b) - endOf(a))[0]
  const endMs = longest && endOf(longest)
  useEffect(() => {
    if (endMs === undefined || endMs === Number.POSITIVE_INFINITY) return
    const leftMs = endMs - serverClock.nowMs()
    const timer = setTimeout(
      () => setNowMs(serverClock.nowMs()),
      Math.min(Math.max(0, leftMs), LONGEST_TIMER_MS),
    )
    return () => clearTimeout(timer)
  }, [endMs, nowMs])
  return longest && endOf(longest) > nowMs ? longest : undefined
}
