import type { MetadataJob, MetadataJobState } from '@looptide/contracts/http/metadata'
import { useState } from 'react'
import { api, serverClock } from '../../../lib/clients.ts'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { Button } from '../../../ui/button.tsx'
import { ListPage } from '../../../ui/list-page.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useAction } from '../../admin/use-action.ts'
import { useMetadataQueue } from './api.ts'
import { jobReasonLabel } from './job-reason-label.ts'
import { QueueStatus } from './queue-status.tsx'

const STATES: { value: MetadataJobState; label: string; empty: string }[] = [
  { value: 'failed', label: 'Failed', empty: 'No failed lookups.' },
  { value: 'queued', label: 'Queued', empty: 'No queued lookups.' },
  { value: 'fetching', label: 'Fetching', empty: 'No lookups in progress.' },
  { value: 'done', label: 'Done', empty: 'No lookups completed in the last hour.' },
]

/** The metadata lookups: counts by state, today's quota, and a list by state with retry. */
export function MetadataQueue() {
  const [state, setState] = useState<MetadataJobState>('failed')
  const { status, jobs, reload } = useMetadataQueue(state)
  const { isBusy, run } = useAction()

  const retry = async (work: () => Promise<unknown>, text: string) => {
    const isQueued = await run(work, {
      title: 'Retry failed',
      text: 'The lookup could not be queued. Please try again.',
    })
    if (!isQueued) return
    toast({ title: 'Lookup queued', description: text, tone: 'success' })
    reload()
  }

  return (
    <section aria-labelledby="metadata-queue" className="grid gap-4">
      <h3 id="metadata-queue" className="text-lg font-semibold">
        Metadata queue
      </h3>
      {status.data ? (
        <QueueStatus report={status.data} />
      ) : status.error ? (
        <ErrorNotice text="The metadata worker is not responding." onRetry={reload} />
      ) : (
        <Skeleton className="h-32" />
      )}
      <div className="flex flex-wrap items-end justify-between gap-4">
        <SelectField label="Lookups" choices={STATES} value={state} onChange={setState} />
        {state === 'failed' && jobs.items !== undefined && jobs.items.length > 0 && (
          <Button
            isBusy={isBusy}
            onClick={() =>
              void retry(
                () => api.call('POST /api/metadata/jobs/retry'),
                'All failed lookups will be retried.',
              )
            }
          >
            Retry all
          </Button>
        )}
      </div>
      <ListPage
        list={jobs}
        loading="Loading lookups"
        skeleton={{ count: 1, className: 'h-40' }}
        failed="Failed to load lookups."
        empty={
          <p className="py-6 text-center text-muted">{STATES.find(({ value }) => value === state)?.empty}</p>
        }
      >
        {(items) => (
          <Jobs
            items={items}
            isBusy={isBusy}
            onRetry={(youtubeId) =>
              void retry(
                () => api.call('POST /api/metadata/jobs/:youtubeId/retry', { params: { youtubeId } }),
                `${youtubeId} will be retried.`,
              )
            }
          />
        )}
      </ListPage>
    </section>
  )
}

function Jobs(props: {
  items: readonly MetadataJob[]
  isBusy: boolean
  onRetry: (youtubeId: string) => void
}) {
  return (
    <ul className="max-h-[32rem] divide-y divide-line overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel">
      {props.items.map((job) => {
        const updatedAt = new Date(job.updatedAtMs)
        return (
          <li
            key={job.youtubeId}
            className="flex items-center gap-4 p-3 [contain-intrinsic-height:auto_4.5rem] [content-visibility:auto]"
          >
            <div className="min-w-0 flex-1">
              <p className="truncate font-mono text-sm">{job.youtubeId}</p>
              {(job.state === 'failed' || job.reason !== null) && (
                <p className="text-sm [overflow-wrap:anywhere]">
                  {job.state === 'failed' && '⚠ '}
                  {jobReasonLabel(job.reason)}
                </p>
              )}
              <p className="text-sm text-muted">
                {job.attempts === 1 ? '1 attempt' : `${job.attempts} attempts`} •{' '}
                <time dateTime={updatedAt.toISOString()} title={updatedAt.toLocaleString(dateLocale)}>
                  {timeAgo(updatedAt.toISOString(), serverClock.nowMs())}
                </time>
              </p>
            </div>
            {job.state === 'failed' && (
              <Button
                isBusy={props.isBusy}
                aria-label={`Retry ${job.youtubeId}`}
                onClick={() => props.onRetry(job.youtubeId)}
              >
                Retry
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
