import type {
  MetadataJobPage,
  MetadataJobState,
  MetadataStatusReport,
  RetryJobsResult,
} from '@looptide/contracts/http/metadata'
import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { useListPage } from '../../../../lib/api/use-list-page.ts'
import { useReload } from '../../../../lib/api/use-pushed-changes.ts'
import { api } from '../../../../lib/clients.ts'
import { useTopic } from '../../../../lib/realtime/use-topic.ts'

const JOBS = '/api/metadata/jobs'
/** Window in which several changes cause one reload, in ms. A bulk import changes hundreds of lookups per second. */
const RELOAD_DELAY_MS = 700
/** Reload interval in ms, since neither quota usage by other workers nor the end of a pause is pushed. */
const REFRESH_INTERVAL_MS = 30_000

/** The status of the metadata worker and the lookups in one state, reloaded when progress is pushed. */
export function useMetadataQueue(state: MetadataJobState) {
  const status = useSWR('/api/metadata/status', (path: string) => api.get<MetadataStatusReport>(path), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })
  const { pages, ...jobs } = useListPage<MetadataJobPage>(JOBS, { query: { state }, revalidateAll: true })
  const reloadStatus = useReload(status, RELOAD_DELAY_MS)
  const reloadJobs = useReload(pages, RELOAD_DELAY_MS)
  const reload = () => {
    reloadStatus()
    reloadJobs()
  }
  useTopic('admin', topics.admin, { metadata: reload }, reload)
  return { status, jobs: { ...jobs, reload }, reload }
}

/** Retries the lookup of one video. */
export const retryJob = (youtubeId: string): Promise<unknown> =>
  api.post(`${JOBS}/${encodeURIComponent(youtubeId)}/retry`)

/** Retries all failed lookups. */
export const retryAllJobs = (): Promise<RetryJobsResult> => api.post(`${JOBS}/retry`)
