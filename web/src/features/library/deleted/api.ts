import type { RestoreResult } from '@looptide/contracts/http/deleted-videos'
import { useListPage } from '../../../lib/api/use-list-page.ts'
import { api } from '../../../lib/clients.ts'
import { ITEMS_PER_REQUEST, inBatches } from '../url-lines.ts'

/** Recently deleted videos, page by page, newest deletion first. */
export function useDeletedVideos() {
  const { pages, ...list } = useListPage('GET /api/videos/deleted', {}, { revalidateOnFocus: false })
  return { ...list, total: list.first?.total, reload: () => pages.mutate() }
}

/** Restores deleted videos, in several requests if needed. `conflicts`: videos whose URL is in the library again. */
export async function restoreVideos(ids: readonly string[]): Promise<RestoreResult> {
  const sum: RestoreResult = { count: 0, conflicts: 0 }
  for (const batch of inBatches(ids, ITEMS_PER_REQUEST)) {
    const { count, conflicts } = await api.call('POST /api/videos/restore', { body: { ids: batch } })
    sum.count += count
    sum.conflicts += conflicts
  }
  return sum
}

/** Deletes videos permanently and returns their number. */
export async function purgeVideos(ids: readonly string[]): Promise<number> {
  let sum = 0
  for (const batch of inBatches(ids, ITEMS_PER_REQUEST)) {
    sum += (await api.call('DELETE /api/videos/deleted', { body: { ids: batch } })).count
  }
  return sum
}
