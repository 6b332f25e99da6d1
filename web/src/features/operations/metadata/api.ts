import type { MetadataJobState } from '@looptide/contracts/http/metadata'
import { topics } from '@looptide/contracts/realtime'
import { useCall } from '../../../lib/api/use-call.ts'
import { useListPage } from '../../../lib/api/use-list-page.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'

/** Window in which several changes cause one reload, in ms. A bulk import changes hundreds of lookups per second. */
const RELOAD_DELAY_MS = 700
/** Reload interval in ms, since neither quota usage by other workers nor the end of a pause is pushed. */
const REFRESH_INTERVAL_MS = 30_000

/** The status of the metadata worker and the lookups in one state, reloaded when progress is pushed. */
export function useMetadataQueue(state: MetadataJobState) {
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
