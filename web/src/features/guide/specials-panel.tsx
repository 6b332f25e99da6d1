import type { GuideSpecial } from '@looptide/contracts/http/channels'
import { RemindAction } from '../../lib/reminders/remind-action.tsx'
import { clockTime, dateLocale } from '../../lib/time/date-locale.ts'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { blockColour } from './block-colour.ts'
import { isOnAir } from './guide-time.ts'
import { SidePanel } from './side-panel.tsx'

/** A special of one channel. */
export interface ShownSpecial {
  channelId: string
  channelTitle: string
  special: GuideSpecial
}

/** The specials of all channels in the next two weeks, with dates and times of the viewer's time zone. */
export function SpecialsPanel(props: {
  specials: readonly ShownSpecial[]
  nowMs: number
  onClose: () => void
}) {
  return (
    <SidePanel
      title="Coming up"
      description="Specials in the next two weeks, in your time zone."
      onClose={props.onClose}
    >
      <ol aria-label="Specials" className="grid gap-3">
        {props.specials.map(({ channelId, channelTitle, special }) => (
          <li
            key={`${channelId} ${special.id}`}
            className="grid gap-1 rounded-md border border-l-4 border-line bg-deep p-4 text-base tv:text-xl"
            style={{ borderLeftColor: blockColour(special.colour) }}
          >
            <p className="flex items-center gap-3 font-semibold">
              <span className="min-w-0 wrap-anywhere">{special.name}</span>
              {isOnAir(special, props.nowMs) && <LiveBadge isLarge className="shrink-0" />}
            </p>
            <p className="tabular-nums">
              <time dateTime={new Date(special.startsAtMs).toISOString()}>{dateOf(special.startsAtMs)}</time>,{' '}
              {clockTime(special.startsAtMs)} – {clockTime(special.endsAtMs)}
            </p>
            <p className="text-muted">{channelTitle}</p>
            {special.description && (
              <p className="wrap-anywhere whitespace-pre-line text-muted">{special.description}</p>
            )}
            {special.startsAtMs > props.nowMs && (
              <div className="mt-2 empty:hidden">
                <RemindAction target={{ kind: 'special', channelId, ref: special.id, title: special.name }} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </SidePanel>
  )
}

const dateOf = (epochMs: number): string =>
  new Date(epochMs).toLocaleDateString(dateLocale, { weekday: 'long', day: 'numeric', month: 'long' })
