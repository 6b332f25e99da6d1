import { JOB_HOURS, type VideoJob } from '@looptide/contracts/http/video-jobs'
import { serverClock } from '../../../lib/clients.ts'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useJobs, useStarters } from './api.ts'
import { JobRow } from './job-row.tsx'
import { undoText } from './job-texts.ts'

/** "Recent changes": the changes of many videos of the last day, of all admins, each with Cancel or Undo. */
export function JobHistoryDialog({ onClose }: { onClose: () => void }) {
  const { data, error, mutate } = useJobs()
  return (
    <Dialog
      title="Recent changes"
      description={`Changes of many videos can be undone for ${JOB_HOURS} hours.`}
      isOpen
      onClose={onClose}
    >
      {data ? (
        <JobList jobs={data.items} />
      ) : error ? (
        <ErrorNotice text="Error loading changes" onRetry={() => void mutate()} />
      ) : (
        <Skeleton className="h-40" />
      )}
    </Dialog>
  )
}

function JobList({ jobs }: { jobs: readonly VideoJob[] }) {
  const starters = useStarters(jobs)
  const nowMs = serverClock.nowMs()
  if (jobs.length === 0) return <EmptyNotice title="No changes in the last 24 hours" />
  return (
    <ul aria-label="Changes" className="divide-y divide-line/60">
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} starter={starters.get(job.startedBy ?? '')}>
          {` · ${timeAgo(job.createdAt, nowMs)}`}
          {job.undoneBy !== null && ` · ${undoText(job, jobs)}`}
        </JobRow>
      ))}
    </ul>
  )
}
