import type { OwnSubmission } from '@looptide/contracts/http/submissions'
import { Link, Navigate } from 'react-router-dom'
import { serverClock } from '../../lib/clients.ts'
import { paths } from '../../lib/paths.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { timeAgo } from '../../lib/time/time-ago.ts'
import { hasTitle, videoName } from '../../lib/video-name.ts'
import { buttonClass } from '../../ui/button.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { useOwnSubmissions } from './api.ts'
import { ProfilePage, useProfileUser } from './profile-frame.tsx'

/** The videos that the user submitted. Anonymous users cannot submit any. */
export function OwnSubmissionsPage() {
  if (useProfileUser().email === null) return <Navigate to={paths.members()} replace />
  return (
    <ProfilePage
      title="Submissions"
      text="Videos that you added. Others see them once a moderator accepts them."
    >
      <Submissions />
    </ProfilePage>
  )
}

/** Latest first, with what became of each. */
function Submissions() {
  const list = useOwnSubmissions()
  return (
    <ListPage
      list={list}
      loading="Loading your submissions"
      skeleton={{ count: 3, className: 'h-20' }}
      failed="Your submissions could not be loaded."
      empty={<NothingSubmitted />}
    >
      {(items) => (
        <ul aria-label="Your submissions" className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {items.map((item) => (
            <SubmissionLine key={item.video.id} submission={item} />
          ))}
        </ul>
      )}
    </ListPage>
  )
}

function NothingSubmitted() {
  return (
    <>
      <p className="text-sm text-muted">
        No submissions yet. A video that you add is listed here with the decision about it.
      </p>
      <Link to={paths.playlistPlayer({ tab: 'add' })} className={buttonClass('quiet', 'justify-self-start')}>
        Add Videos
      </Link>
    </>
  )
}

const STATES: Record<OwnSubmission['state'], { name: string; tone: string }> = {
  submitted: { name: 'Waiting for review', tone: 'text-muted' },
  accepted: { name: 'Accepted', tone: 'text-success' },
  rejected: { name: 'Not accepted', tone: 'text-danger' },
}

function SubmissionLine({ submission }: { submission: OwnSubmission }) {
  const { video, state, submittedAt, decidedAt, reason } = submission
  const { name, tone } = STATES[state]
  return (
    <li className="flex items-start gap-3 rounded-md border border-line/70 bg-panel p-3">
      <Thumbnail url={video.thumbnailUrl} className="w-20 shrink-0 rounded-sm sm:w-28" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="line-clamp-2 font-medium wrap-anywhere">{videoName(video)}</p>
        {hasTitle(video) && <p className="truncate text-muted">{video.artistName}</p>}
        <p className="text-muted">
          <span className={`font-semibold ${tone}`}>{name}</span>
          {' · '}
          {decidedAt === null ? 'Submitted ' : ''}
          <Ago instant={decidedAt ?? submittedAt} />
        </p>
        {reason !== null && <p className="wrap-anywhere">Reason: {reason}</p>}
      </div>
    </li>
  )
}

const Ago = ({ instant }: { instant: string }) => (
  <time dateTime={instant} title={new Date(instant).toLocaleString(dateLocale)}>
    {timeAgo(instant, serverClock.nowMs())}
  </time>
)
