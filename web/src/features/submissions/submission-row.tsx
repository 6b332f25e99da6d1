import type { Submission } from '@looptide/contracts/http/submissions'
import type { Profile } from '@looptide/contracts/http/users'
import { Link } from 'react-router-dom'
import { serverClock } from '../../lib/clients.ts'
import { paths } from '../../lib/paths.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { timeAgo } from '../../lib/time/time-ago.ts'
import { hasTitle, videoName } from '../../lib/video-name.ts'
import { videoPageUrl } from '../../lib/video-page-url.ts'
import { Button } from '../../ui/button.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'

type Profiles = ReadonlyMap<string, Profile | null>

/** One submission: video, submitter, decision and actions. */
export function SubmissionRow(props: {
  submission: Submission
  profiles: Profiles
  isSelected: boolean
  onToggle: () => void
  onPreview: () => void
  onAccept: () => void
  onReject: () => void
}) {
  const { submission, profiles } = props
  const { video, state } = submission
  const name = videoName(video)
  return (
    <li className="grid gap-3 p-4 sm:flex sm:items-start sm:gap-4">
      <div className="flex min-w-0 flex-1 items-start gap-3">
        {state !== 'accepted' && (
          <span className="grid size-8 shrink-0 place-items-center">
            <input
              type="checkbox"
              aria-label={`Select ${name}`}
              checked={props.isSelected}
              onChange={props.onToggle}
              className="size-5 accent-primary"
            />
          </span>
        )}
        <Thumbnail url={video.thumbnailUrl} className="w-24 shrink-0 rounded-sm sm:w-32" />
        <div className="min-w-0 flex-1 text-sm">
          <p className="text-base font-medium break-words">{video.title}</p>
          {!hasTitle(video) && <VideoLink url={videoPageUrl(video)} />}
          <p className="break-words text-muted">
            <bdi>{video.artistName}</bdi> • {video.durationAssumed ? `≈ ${video.duration}` : video.duration}
            {video.category !== null && state === 'accepted' && ` • ${video.category}`}
          </p>
          {video.genre !== null && <p className="break-words text-muted">Genre: {video.genre}</p>}
          <p className="mt-1 text-muted">
            <Submitter submission={submission} profiles={profiles} />
          </p>
          <Decision submission={submission} profiles={profiles} />
        </div>
      </div>
      <div className="flex flex-wrap gap-2 sm:justify-end">
        <Button icon="play" aria-label={`Preview ${name}`} onClick={props.onPreview}>
          Preview
        </Button>
        {state !== 'accepted' && (
          <Button tone="primary" aria-label={`Accept ${name}`} onClick={props.onAccept}>
            Accept
          </Button>
        )}
        {state === 'submitted' && (
          <Button aria-label={`Reject ${name}`} onClick={props.onReject}>
            Reject
          </Button>
        )}
      </div>
    </li>
  )
}

/** Links to a video without metadata, so that a moderator can look at it. */
function VideoLink({ url }: { url: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className="rounded-sm break-all underline underline-offset-4"
    >
      {url}
    </a>
  )
}

function Submitter({ submission, profiles }: { submission: Submission; profiles: Profiles }) {
  const { submittedBy, submitterCount, submittedAt, followedList } = submission
  if (submitterCount === 0 && followedList !== null) {
    return (
      <>
        Found <Ago instant={submittedAt} /> in the followed list “{followedList}”
      </>
    )
  }
  const others = submitterCount - (submittedBy === null ? 0 : 1)
  return (
    <>
      Submitted <Ago instant={submittedAt} /> by <UserLink id={submittedBy} profiles={profiles} />
      {others > 0 && ` and ${others} ${others === 1 ? 'other' : 'others'}`}
    </>
  )
}

function Decision({ submission, profiles }: { submission: Submission; profiles: Profiles }) {
  const { state, decidedBy, decidedAt, reason } = submission
  if (state === 'submitted' || decidedAt === null) return null
  return (
    <p className="text-muted">
      {state === 'accepted' ? 'Accepted' : 'Rejected'} <Ago instant={decidedAt} /> by{' '}
      <UserLink id={decidedBy} profiles={profiles} />
      {reason !== null && <span className="block break-words text-text">Reason: {reason}</span>}
    </p>
  )
}

function UserLink({ id, profiles }: { id: string | null; profiles: Profiles }) {
  const handle = id === null ? undefined : profiles.get(id)?.handle
  if (!handle) return id === null ? 'a deleted account' : 'a member without a handle'
  return (
    <Link to={paths.member(handle)} className="rounded-sm underline underline-offset-4">
      @{handle}
    </Link>
  )
}

function Ago({ instant }: { instant: string }) {
  return (
    <time dateTime={instant} title={new Date(instant).toLocaleString(dateLocale)}>
      {timeAgo(instant, serverClock.nowMs())}
    </time>
  )
}
