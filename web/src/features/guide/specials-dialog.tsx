import type { GuideSpecial } from '@looptide/contracts/http/channels'
import { useBlockColour } from '../../lib/theme/use-block-colour.ts'
import { clockTime, dateLocale } from '../../lib/time/date-locale.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { isOnAir } from './guide-time.ts'

/** A special of one channel. */
export interface ShownSpecial {
  channelId: string
  channelTitle: string
  special: GuideSpecial
}

/** The specials of all channels in the next two weeks, with dates and times of the viewer's time zone. */
export function SpecialsDialog(props: {
  specials: readonly ShownSpecial[]
  nowMs: number
  onClose: () => void
}) {
  const colourOf = useBlockColour()
  return (
    <Dialog
      title="Coming up"
      description="Specials in the next two weeks, in your time zone."
      isOpen
      onClose={props.onClose}
      width="medium"
    >
      <ol aria-label="Specials" className="grid gap-3">
        {props.specials.map(({ channelId, channelTitle, special }) => (
          <li
            key={`${channelId} ${special.id}`}
            className="grid gap-1 rounded-md border border-line border-l-4 bg-deep p-3"
            style={{ borderLeftColor: colourOf(special.colour) }}
          >
            <p className="flex items-center gap-3 font-semibold">
              <span className="min-w-0 wrap-anywhere">{special.name}</span>
              {isOnAir(special, props.nowMs) && <LiveBadge className="shrink-0" />}
            </p>
            <p className="text-sm tabular-nums">
              <time dateTime={new Date(special.startsAtMs).toISOString()}>{dateOf(special.startsAtMs)}</time>,{' '}
              {clockTime(special.startsAtMs)} – {clockTime(special.endsAtMs)}
            </p>
            <p className="text-sm text-muted">{channelTitle}</p>
            {special.description && (
              <p className="text-sm wrap-anywhere whitespace-pre-line text-muted">{special.description}</p>
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

const dateOf = (epochMs: number): string =>
  new Date(epochMs).toLocaleDateString(dateLocale, { weekday: 'long', day: 'numeric', month: 'long' })
