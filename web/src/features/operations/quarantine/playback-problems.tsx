import type { PlaybackProblem } from '@looptide/contracts/http/playback-problems'
import { useFailureToast } from '../../../lib/api/use-failure-toast.ts'
import { serverClock } from '../../../lib/clients.ts'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { ListPage } from '../../../ui/list-page.tsx'
import { EmptyNotice } from '../../../ui/notice.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { usePlaybackProblems } from './api.ts'
import { countriesText, errorsText } from './problem-texts.ts'

/** Lists videos that do not play for some viewers, with their countries. */
export function PlaybackProblems() {
  const list = usePlaybackProblems()
  useFailureToast('Error loading playback problems', list.items ? undefined : list.error)
  return (
    <section aria-labelledby="playback-problems" className="grid gap-4">
      <div>
        <h3 id="playback-problems" className="text-lg font-semibold">
          Playback problems{list.items && ` (${list.items.length}${list.hasMore ? '+' : ''})`}
        </h3>
        <p className="text-sm text-muted">
          If YouTube refuses to play a video for a viewer, the viewer sees another video from the same source.
          The timeline does not change.
        </p>
      </div>
      <ListPage
        list={list}
        loading="Loading playback problems"
        skeleton={{ count: 2, className: 'h-24' }}
        failed="Error loading playback problems"
        empty={
          <EmptyNotice title="No playback problems">
            <p>Videos that did not play for a viewer in the last 7 days are listed here.</p>
          </EmptyNotice>
        }
      >
        {(problems) => (
          <ul className="max-h-[40rem] divide-y divide-line overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel">
            {problems.map((problem) => (
              <ProblemRow key={problem.video.id} problem={problem} />
            ))}
          </ul>
        )}
      </ListPage>
    </section>
  )
}

function ProblemRow({ problem }: { problem: PlaybackProblem }) {
  const { video, countries, lastReportedAt } = problem
  return (
    <li className="flex items-start gap-4 p-4">
      <Thumbnail url={video.thumbnailUrl} className="hidden w-28 shrink-0 rounded-sm sm:block" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{video.title}</p>
        <p className="truncate text-sm text-muted">{video.artistName}</p>
        <p className="text-sm">Does not play for: {countriesText(countries)}</p>
        <p className="text-sm text-muted">
          {errorsText(countries)} Last report{' '}
          <time dateTime={lastReportedAt} title={new Date(lastReportedAt).toLocaleString(dateLocale)}>
            {timeAgo(lastReportedAt, serverClock.nowMs())}
          </time>
        </p>
      </div>
    </li>
  )
}
