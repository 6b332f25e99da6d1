import type { SimulatedProgramme } from '@looptide/contracts/http/simulation'
import { clockTime } from '../../lib/time/clock-time.ts'
import { classNames } from '../../ui/class-names.ts'
import { WhyButton } from '../admin/why-button.tsx'

/** A programme of the preview: start time, video, and how it differs from the current schedule. */
export function SimulatedLine(props: {
  programme: SimulatedProgramme
  isOnNow: boolean
  onWhy: (() => void) | undefined
}) {
  const { programme, isOnNow, onWhy } = props
  const { title, artistName, startsAtMs, followsSameArtist } = programme
  const notes = [noteOf(programme, isOnNow), followsSameArtist && '⚠ Same artist as previous'].filter(Boolean)
  return (
    <li
      className={classNames(
        'grid min-h-12 grid-cols-[4.5rem_minmax(0,1fr)_auto] items-center gap-2 border-l-2 py-1.5 pl-2',
        programme.change === 'same' ? 'border-transparent' : 'border-accent',
      )}
    >
      <time dateTime={new Date(startsAtMs).toISOString()} className="text-sm text-muted tabular-nums">
        {clockTime(startsAtMs)}
      </time>
      <span className="min-w-0">
        <span className="block truncate text-sm font-medium">{title}</span>
        <span className="block truncate text-sm text-muted">{artistName}</span>
        {notes.length > 0 && <span className="block text-xs font-semibold">{notes.join(' · ')}</span>}
      </span>
      {onWhy && <WhyButton title={title} onPress={onWhy} />}
    </li>
  )
}

function noteOf({ change, previousStartMs, isFixed }: SimulatedProgramme, isOnNow: boolean): string | null {
  if (isOnNow) return 'On now, unchanged'
  if (isFixed) return 'Starting soon, unchanged'
  if (change === 'new') return '+ New'
  return change === 'moved' && previousStartMs !== null ? `↕ Moved from ${clockTime(previousStartMs)}` : null
}
