import type {
  MetadataJobPage,
  MetadataJobState,
  MetadataStatusReport,
  RetryJobsResult,
} from '@looptide/contracts/http/metadata'
import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import useSWRInfinite from 'swr/infinite'
import { api } from '../../../../lib/clients.ts'
import { useReload } from '../../../../lib/use-pushed-changes.ts'
import { useTopic } from '../../../../lib/use-topic.ts'

const JOBS = '/api/metadata/jobs'
/** A bulk import moves hundreds of look-ups a second: they are counted anew this often at most (ms). */
const SETTLE_MS = 700
/** The quota is shared by all workers, and a pause ends without a word (ms). */
const LOOK_AGAIN_MS = 30_000

/** How the worker does, and the look-ups in one state; both follow what it tells. */
export function useMetadataQueue(state: MetadataJobState) {
  const status = useSWR('/api/metadata/status', (path: string) => api.get<MetadataStatusReport>(path), {
    refreshInterval: LOOK_AGAIN_MS,
  })
  const jobs = useSWRInfinite(
    (index: number, previous: MetadataJobPage | null): [string, string, string | undefined] | null => {
      if (index === 0) return [JOBS, state, undefined]
      return previous?.nextCursor ? [JOBS, state, previous.nextCursor] : null
    },
    ([path, wanted, cursor]) => api.get<MetadataJobPage>(path, { query: { state: wanted, cursor } }),
    { revalidateAll: true },
  )
  const reloadStatus = useReload(status, SETTLE_MS)
  const reloadJobs = useReload(jobs, SETTLE_MS)
  const reload = () => {
    reloadStatus()
    reloadJobs()
  }
  useTopic('admin', topics.admin, { metadata: reload }, reload)
  return { status, jobs, reload }
}

/** Looks one video up again. */
export const retryJob = (youtubeId: string): Promise<unknown> =>
  api.post(`${JOBS}/${encodeURIComponent(youtubeId)}/retry`)

/** Looks all up again that failed. */
export const retryAllJobs = (): Promise<RetryJobsResult> => api.post(`${JOBS}/retry`)
