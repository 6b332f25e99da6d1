import { REACTIONS, type Reaction, topics } from '@looptide/contracts/realtime'
import { type ComponentProps, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { realtime } from '../../../lib/clients.ts'
import { REACTION_NAMES } from '../../../lib/reaction-names.ts'
import type { Subscription } from '../../../lib/realtime/realtime-client.ts'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { Button } from '../../../ui/button.tsx'
import type { LivePageState } from '../live-page-state.ts'
import { useLiveState } from '../use-live-session.ts'
import { RecentReactions } from './recent-reactions.ts'

/** Short, because the place is narrow: 1.2K. */
const numbers = new Intl.NumberFormat(dateLocale, { notation: 'compact' })

/**
 * The reactions that a viewer can send to what is on the air, each with how many all viewers have sent in the last ten
 * seconds. A row, and a column where the picture fills the height of the window. For the keyboard one stop, in which Up and
 * Down choose. It has the channel's id as its key.
 */
export function ReactionRail({ page }: { page: LivePageState }) {
  const { programme, selected } = useLiveState(page.session)
  const { counts, react } = useReactions(page.channelId)
  const [chosen, setChosen] = useState(0)
  const isOff = programme === undefined || selected !== undefined || page.channel.connection !== 'joined'
  return (
    <div
      role="toolbar"
      aria-label="Reactions"
      aria-orientation="vertical"
      className="flex size-full items-center justify-around px-2 beside:flex-col beside:justify-end beside:gap-1 beside:px-1 beside:pb-4"
      onKeyDown={(event) => {
        const step = STEPS[event.key]
        if (step === undefined) return
        // Else they would change the channel.
        event.preventDefault()
        event.currentTarget
          .querySelectorAll('button')
          .item((chosen + step) % REACTIONS.length)
          .focus()
      }}
    >
      {REACTIONS.map((emoji, index) => (
        <ReactionButton
          key={emoji}
          emoji={emoji}
          count={counts[emoji]}
          disabled={isOff}
          tabIndex={index === chosen ? 0 : -1}
          onFocus={() => setChosen(index)}
          onClick={() => react(emoji)}
        />
      ))}
    </div>
  )
}

/** How far a key moves in the list of reactions, which it goes around. */
const STEPS: Record<string, number | undefined> = { ArrowUp: REACTIONS.length - 1, ArrowDown: 1 }

function ReactionButton({
  emoji,
  count,
  ...props
}: { emoji: Reaction; count: number | undefined } & ComponentProps<typeof Button>) {
  return (
    <Button
      tone="plain"
      title={REACTION_NAMES[emoji]}
      className="min-h-12 min-w-11 flex-col gap-0 px-0 py-0 transition-transform active:scale-115 beside:max-h-13 beside:min-h-6 beside:flex-1"
      {...props}
    >
      <span aria-hidden="true" className="text-2xl leading-7">
        {emoji}
      </span>
      <span className="sr-only">{REACTION_NAMES[emoji]} </span>
      {/* As high without a number, so that nothing moves. */}
      <span className="h-4 text-xs leading-4 text-white/85 tabular-nums">
        {count !== undefined && (
          <span key={count} className="block animate-rise">
            {numbers.format(count)}
          </span>
        )}
      </span>
    </Button>
  )
}

/** The reactions of all viewers of a channel, and how this one sends theirs. The channel must not change. */
function useReactions(channelId: string) {
  const [recent] = useState(() => new RecentReactions())
  const subscription = useRef<Subscription<'stream'>>(undefined)
  useEffect(() => {
    subscription.current = realtime.subscribe('stream', topics.stream(channelId), {
      pushes: { reactions: ({ counts }) => recent.receive(counts) },
    })
    return () => {
      subscription.current?.leave()
      recent.stop()
    }
  }, [channelId, recent])
  const counts = useSyncExternalStore(recent.counts.subscribe, recent.counts.get)
  const react = (emoji: Reaction) =>
    recent.react(emoji, () => subscription.current?.send('react', { emoji }) === true)
  return { counts, react }
}
