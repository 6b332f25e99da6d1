import type { StationOverview } from '@looptide/contracts/http/overview'
import { Link } from 'react-router-dom'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { useSubmissions } from '../../submissions/api.ts'
import { useDeadLetters } from '../dead-letters/api.ts'
import { useFailedLookups } from './api.ts'

interface Alert {
  text: string
  /** What the link does. */
  action: string
  to: string
}

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** What waits for a person, each with a link to where it is dealt with, as far as the role allows. */
export function Alerts({ overview }: { overview: StationOverview }) {
  const { may } = useSession()
  const failed = useFailedLookups(may('videos:edit')) ?? 0
  const quarantined = may('schedules:edit') ? overview.quarantinedCount : 0
  const submitted = may('channels:manage') ? overview.submittedDrafts : []
  const own: Alert[] = [
    ...submitted.map(({ channelId, name }) => ({
      text: `The schedule of ${name} is waiting for approval`,
      action: 'Review',
      to: paths.schedule({ channel: channelId }),
    })),
    ...(quarantined > 0
      ? [
          {
            text: `${counted(quarantined, 'video is', 'videos are')} in quarantine`,
            action: 'Release or replace',
            to: paths.streamManager('quarantine'),
          },
        ]
      : []),
    ...(failed > 0
      ? [
          {
            text: counted(failed, 'metadata lookup has failed', 'metadata lookups have failed'),
            action: 'Retry',
            to: paths.streamManager('metadata'),
          },
        ]
      : []),
  ]
  return (
    <section aria-labelledby="alerts" className="grid gap-2">
      <h3 id="alerts" className="text-sm font-semibold text-muted">
        Needs a person
      </h3>
      <ul className="peer grid gap-1.5 empty:hidden">
        {may('system:operate') && <DeadLetterAlert />}
        {own.map((alert) => (
          <AlertLine key={alert.text} alert={alert} />
        ))}
        {may('submissions:review') && <SubmissionAlert />}
      </ul>
      <p className="text-sm text-muted peer-has-[li]:hidden">Nothing is waiting.</p>
    </section>
  )
}

function DeadLetterAlert() {
  const count = useDeadLetters().data?.items.length ?? 0
  if (count === 0) return null
  const text = counted(count, 'event was not processed', 'events were not processed')
  return <AlertLine alert={{ text, action: 'Replay or drop', to: paths.streamManager('dead-letters') }} />
}

function SubmissionAlert() {
  const count = useSubmissions('submitted').total ?? 0
  if (count === 0) return null
  const text = counted(count, 'submission is waiting', 'submissions are waiting')
  return <AlertLine alert={{ text, action: 'Review', to: paths.admin('submissions') }} />
}

function AlertLine({ alert }: { alert: Alert }) {
  return (
    <li className="flex items-center gap-3 rounded-md border border-accent bg-panel py-1 pr-1 pl-3 text-sm">
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span aria-hidden="true">⚠ </span>
        {alert.text}
      </span>
      <Link to={alert.to} className={buttonClass('quiet', 'shrink-0 px-3')}>
        {alert.action}
      </Link>
    </li>
  )
}
