import { useListPage } from '../../../lib/api/use-list-page.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { api } from '../../../lib/clients.ts'
import { showFailure } from '../../../lib/failures.ts'
import { startRestore, useJobEnds } from '../../admin/jobs/api.ts'
import { ITEMS_PER_REQUEST, inBatches } from '../url-lines.ts'

/** Recently deleted videos, page by page, newest deletion first. Reloaded when a job has deleted or restored some. */
export function useDeletedVideos() {
  const { pages, ...list } = useListPage('GET /api/videos/deleted', {}, { revalidateOnFocus: false })
  const reload = useReload(pages)
  useJobEnds(reload)
  return { ...list, total: list.first?.total, reload: () => pages.mutate() }
}

/** Deletes videos permanently and returns their number. */
export async function purgeVideos(ids: readonly string[]): Promise<number> {
  let sum = 0
  for (const batch of inBatches(ids, ITEMS_PER_REQUEST)) {
    sum += (await api.call('DELETE /api/videos/deleted', { body: { ids: batch } })).count
  }
  return sum
}

/** Starts to restore deleted videos. A failure is shown as a toast. */
export async function restoreVideos(ids: string[]): Promise<void> {
  await startRestore({ ids }).catch((failure: unknown) =>
    showFailure(failure, {
      title: 'Error restoring videos',
      text: 'They are still in Recently deleted. Please try again.',
    }),
  )
}
