import type { MetadataJob, MetadataJobState, MetadataStatusReport } from '@looptide/contracts/http/metadata'
import { topics } from '@looptide/contracts/realtime'
import { useState } from 'react'
import { useCall } from '../../../lib/api/use-call.ts'
import { useListPage } from '../../../lib/api/use-list-page.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { api, serverClock } from '../../../lib/clients.ts'
import { useAction } from '../../../lib/failures.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'
import { clockTime, dateLocale } from '../../../lib/time/date-locale.ts'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { Button } from '../../../ui/button.tsx'
import { ListPage } from '../../../ui/list-page.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { unavailableReasonText } from '../../admin/video-texts.ts'

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

/** Window in which several changes cause one reload, in ms. A bulk import changes hundreds of lookups per second. */
const RELOAD_DELAY_MS = 700
/** Reload interval in ms, since neither quota usage by other workers nor the end of a pause is pushed. */
const REFRESH_INTERVAL_MS = 30_000

/** The status of the metadata worker and the lookups in one state, reloaded when progress is pushed. */
function useMetadataQueue(state: MetadataJobState) {
  const status = useCall('GET /api/metadata/status', {}, { refreshInterval: REFRESH_INTERVAL_MS })
  const { pages, ...jobs } = useListPage(
    'GET /api/metadata/jobs',
    { query: { state } },
    { revalidateAll: true },
  )
  const reloadStatus = useReload(status, RELOAD_DELAY_MS)
  const reloadJobs = useReload(pages, RELOAD_DELAY_MS)
  const reload = () => {
    reloadStatus()
    reloadJobs()
  }
  useTopic('admin', topics.admin, { metadata: reload }, reload)
  return { status, jobs: { ...jobs, reload }, reload }
}

/** Why a lookup failed: the text of a reason code, or the worker's error message. */
function jobReasonLabel(reason: string | null): string {
  const text = unavailableReasonText(reason || 'unknown reason')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Number of lookups by state, and today's quota usage. */
function QueueStatus({ report }: { report: MetadataStatusReport }) {
  const { mode, queued, fetching, failed, quotaUsed, quotaLimit, quotaResetsAtMs, pausedUntilMs } = report
  return (
    <div className="grid gap-3 rounded-lg border border-line/70 bg-panel p-4">
      <dl className="grid grid-cols-3 gap-3">
        <Figure name="Queued" value={queued} />
        <Figure name="Fetching" value={fetching} />
        <Figure name="Failed" value={failed} />
      </dl>
      {mode === 'keyless' || quotaLimit === null ? (
        <p className="text-sm text-muted">
          Keyless mode: metadata is read from YouTube’s public pages, without a quota. Set YOUTUBE_API_KEY to
          use the YouTube Data API.
        </p>
      ) : (
        <div className="grid gap-1.5">
          <p className="text-sm">
            YouTube Data API: {quotaUsed.toLocaleString(dateLocale)} of{' '}
            {quotaLimit.toLocaleString(dateLocale)} units used today
            {quotaResetsAtMs !== null && `, resets at ${clockTime(quotaResetsAtMs)}`}.
          </p>
          <progress
            aria-label="Quota used today"
            max={quotaLimit}
            value={Math.min(quotaUsed, quotaLimit)}
            className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
          />
        </div>
      )}
      {pausedUntilMs !== null && (
        <p role="status" className="text-sm font-medium">
          ⚠ Paused until {clockTime(pausedUntilMs)}: YouTube accepts no more requests until then.
        </p>
      )}
    </div>
  )
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-xl font-semibold tabular-nums">{value.toLocaleString(dateLocale)}</dd>
    </div>
  )
}
