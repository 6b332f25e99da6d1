import type { AiredBefore } from '@looptide/contracts/http/channels'
import { Link } from 'react-router-dom'
import { paths } from './paths.ts'
import { clockTime, dateLocale } from './time/date-locale.ts'

/** Says that a programme airs a past one again, with a link to that one and its chat. */
export function AgainFrom({ channelId, startedAtMs }: AiredBefore) {
  const day = new Date(startedAtMs).toLocaleDateString(dateLocale, { dateStyle: 'full' })
  return (
    <p className="wrap-anywhere">
      Again from{' '}
      <Link to={paths.airing(channelId, startedAtMs)} className="underline tabular-nums">
        {day}, {clockTime(startedAtMs)}
      </Link>
    </p>
  )
}
