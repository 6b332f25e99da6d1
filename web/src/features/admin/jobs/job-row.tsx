import type { VideoJob } from '@looptide/contracts/http/video-jobs'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { cancelJob, undoJob } from './api.ts'
import { isUnfinished } from './job-results.ts'
import { jobTitle, progressText, resultText } from './job-texts.ts'

/** A job: what it does, who started it, how far it is or how it ended. `children`: more facts or actions. */
export function JobRow(props: { job: VideoJob; starter: string | undefined; children?: ReactNode }) {
  const { job, starter } = props
  const title = jobTitle(job)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 py-2.5">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          {title}
          {starter && <span className="font-normal text-muted"> by {starter}</span>}
        </p>
        <p className="text-sm text-muted tabular-nums">
          {isUnfinished(job) ? progressText(job) : resultText(job)}
          {props.children}
        </p>
      </div>
      <JobAction job={job} title={title} />
      {isUnfinished(job) && <Progress job={job} title={title} />}
    </li>
  )
}

function JobAction({ job, title }: { job: VideoJob; title: string }) {
  if (isUnfinished(job)) {
    return (
      <Button
        aria-label={`Cancel: ${title}`}
        isBusy={job.isCancelling}
        onClick={() => void cancelJob(job.id)}
      >
        Cancel
      </Button>
    )
  }
  if (!job.canUndo) return null
  return (
    <Button icon="undo" aria-label={`Undo: ${title}`} onClick={() => void undoJob(job.id)}>
      Undo
    </Button>
  )
}

function Progress({ job: { total, done, failed }, title }: { job: VideoJob; title: string }) {
  const percent = total === 0 ? 100 : Math.floor(((done + failed) / total) * 100)
  return (
    <div
      role="progressbar"
      aria-label={title}
      aria-valuenow={percent}
      className="col-span-2 h-1.5 overflow-hidden rounded-full border border-transparent bg-raised forced-colors:border-[CanvasText]"
    >
      <div
        className="h-full rounded-full bg-accent motion-safe:transition-[width] motion-safe:duration-500 forced-colors:bg-[Highlight]"
        style={{ width: `${percent}%` }}
      />
    </div>
  )
}
