import { REACTIONS } from '@looptide/contracts/realtime'
import { classNames } from '../ui/class-names.ts'
import { REACTION_NAMES } from './reaction-names.ts'
import { dateLocale } from './time/date-locale.ts'

const numbers = new Intl.NumberFormat(dateLocale)

/** How many reactions of each kind there were, in the order in which viewers are offered them. Nothing without any. */
export function ReactionCounts(props: { counts: Readonly<Record<string, number>>; className?: string }) {
  const shown = REACTIONS.filter((emoji) => (props.counts[emoji] ?? 0) > 0)
  if (shown.length === 0) return null
  return (
    <ul aria-label="Reactions" className={classNames('flex flex-wrap gap-x-3 tabular-nums', props.className)}>
      {shown.map((emoji) => (
        <li key={emoji}>
          <span role="img" aria-label={REACTION_NAMES[emoji]}>
            {emoji}
          </span>{' '}
          {numbers.format(props.counts[emoji] ?? 0)}
        </li>
      ))}
    </ul>
  )
}
