import type {
  DeleteJobBody,
  EditJobBody,
  ImportJobBody,
  MoveJobBody,
  RestoreJobBody,
  VideoJob,
  VideoJobPage,
} from '@looptide/contracts/http/video-jobs'
import { topics } from '@looptide/contracts/realtime'
import { useEffect } from 'react'
import { useCall } from '../../../lib/api/use-call.ts'
import { usePushedChanges } from '../../../lib/api/use-pushed-changes.ts'
import { api } from '../../../lib/clients.ts'
import { showFailure } from '../../../lib/failures.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { toast } from '../../../ui/toast.ts'
import { inRequests } from './import-requests.ts'
import { isUnfinished, JobResults } from './job-results.ts'
import { resultToast } from './job-texts.ts'

/** How long the toast offers Undo, in ms. "Recent changes" offers it for a day. */
const UNDO_MS = 30_000

const results = new JobResults((job) => {
  toast({
    ...resultToast(job),
    ...(job.canUndo && {
      durationMs: UNDO_MS,
      action: { label: 'Undo', onPress: () => void undoJob(job.id) },
    }),
  })
})

/** Waits until the server has accepted a job. Its end is shown as a toast by the tray of this page. */
async function started(request: Promise<VideoJob>): Promise<void> {
  results.started(await request)
}

/** Starts to edit videos. Throws ApiError, as do those below. */
export const startEdit = (body: EditJobBody): Promise<void> =>
  started(api.call('POST /api/videos/jobs/edit', { body }))

/** Starts to move videos to a category. */
export const startMove = (body: MoveJobBody): Promise<void> =>
  started(api.call('POST /api/videos/jobs/move', { body }))

/** Starts to delete videos. */
export const startDelete = (body: DeleteJobBody): Promise<void> =>
  started(api.call('POST /api/videos/jobs/delete', { body }))

/**
 * Starts to import rows. Rows that do not fit into one request are several jobs, of which the server does one after the
 * other. Returns their ids.
 */
export async function startImport(
  rows: ImportJobBody['rows'],
  options: Omit<ImportJobBody, 'rows'> = {},
): Promise<string[]> {
  const ids: string[] = []
  for (const part of inRequests(rows)) {
    const job = await api.call('POST /api/videos/jobs/import', { body: { ...options, rows: part } })
    results.started(job)
    ids.push(job.id)
  }
  return ids
}

/** Starts to restore deleted videos. */
export const startRestore = (body: RestoreJobBody): Promise<void> =>
  started(api.call('POST /api/videos/jobs/restore', { body }))

/** Starts to undo a job. A failure is shown as a toast. */
export async function undoJob(id: string): Promise<void> {
  await started(api.call('POST /api/videos/jobs/:id/undo', { params: { id } })).catch((failure: unknown) =>
    showFailure(failure, { title: 'Error undoing the change', text: 'Please try again.' }),
  )
}

/** Cancels a job. A failure is shown as a toast. */
export async function cancelJob(id: string): Promise<void> {
  await api
    .call('POST /api/videos/jobs/:id/cancel', { params: { id } })
    .catch((failure: unknown) =>
      showFailure(failure, { title: 'Error cancelling the change', text: 'Please try again.' }),
    )
}

/** The jobs of the last day, newest first. None for roles that do not edit the library. */
export const useJobs = () =>
  useCall('GET /api/videos/jobs', useSession().may('videos:edit') ? {} : null, { revalidateOnFocus: false })

/** As {@link useJobs}, kept up to date by pushes. Reports the end of jobs that this page has started. */
export function useLiveJobs(): readonly VideoJob[] {
  const answer = useJobs()
  const changes = usePushedChanges<VideoJobPage, VideoJob>(answer, { apply: withJobs })
  useTopic(
    'admin',
    topics.admin,
    {
      job: ({ job }) => {
        changes.push(job)
        results.changed(job)
      },
    },
    () => changes.reload(),
  )
  const items = answer.data?.items
  useEffect(() => {
    for (const job of items ?? []) results.changed(job)
  }, [items])
  return items ?? []
}

/** The number of videos that these jobs have changed; undefined until all have ended. The tray of the page keeps it up to date. */
export function useEndedChanges(ids: readonly string[]): number | undefined {
  const jobs = useJobs().data?.items.filter(({ id }) => ids.includes(id)) ?? []
  if (ids.length === 0 || jobs.length < ids.length || jobs.some(isUnfinished)) return undefined
  return jobs.reduce((sum, { changed }) => sum + changed, 0)
}

/** Calls `onEnd` when a job of anybody has ended. */
export function useJobEnds(onEnd: () => void): void {
  useTopic('admin', topics.admin, { job: ({ job }) => isUnfinished(job) || onEnd() }, null)
}

/** The list with the pushed states of jobs. Ids sort by the time of their creation. */
function withJobs(page: VideoJobPage, pushed: readonly VideoJob[]): VideoJobPage {
  const jobs = new Map([...page.items, ...pushed].map((job) => [job.id, job]))
  return { ...page, items: [...jobs.values()].sort((a, b) => (a.id < b.id ? 1 : -1)) }
}

/** Handles and names of those who have started these jobs, by user id. */
export function useStarters(jobs: readonly VideoJob[]): ReadonlyMap<string, string> {
  const ids = [...new Set(jobs.flatMap(({ startedBy }) => startedBy ?? []))].sort()
  const { data } = useCall(
    'GET /api/profiles/lookup',
    ids.length === 0 ? null : { query: { ids: ids.join() } },
    { keepPreviousData: true, revalidateOnFocus: false },
  )
  return new Map(
    data?.items.map(({ userId, handle, artistName }) => [
      userId,
      handle === null ? (artistName ?? 'somebody') : `@${handle}`,
    ]),
  )
}
