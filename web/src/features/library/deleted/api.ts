import type { RestoreResult } from '@looptide/contracts/http/deleted-videos'
import { useListPage } from '../../../lib/api/use-list-page.ts'
import { api } from '../../../lib/clients.ts'
import { showFailure } from '../../../lib/failures.ts'
import { toast } from '../../../ui/toast.ts'
import { videoCountText } from '../../admin/video-texts.ts'
import { ITEMS_PER_REQUEST, inBatches } from '../url-lines.ts'

/** Recently deleted videos, page by page, newest deletion first. */
export function useDeletedVideos() {
  const { pages, ...list } = useListPage('GET /api/videos/deleted', {}, { revalidateOnFocus: false })
  return { ...list, total: list.first?.total, reload: () => pages.mutate() }
}

/** Restores deleted videos, in several requests if needed. `conflicts`: videos whose URL is in the library again. */
async function restoreVideos(ids: readonly string[]): Promise<RestoreResult> {
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

/** Restores deleted videos and shows the result in a toast. */
export async function restoreWithToast(ids: readonly string[]): Promise<void> {
  try {
    const { count, conflicts } = await restoreVideos(ids)
    const rest =
      conflicts > 0
        ? ` ${videoCountText(conflicts)} not restored because the library already has the same URL.`
        : ''
    toast({
      title: count > 0 ? 'Videos restored' : 'No videos restored',
      description: `${videoCountText(count)} restored.${rest}`,
      tone: count > 0 ? 'success' : 'error',
    })
  } catch (failure) {
    showFailure(failure, {
      title: 'Error restoring videos',
      text: 'They are still in Recently deleted. Please try again.',
    })
  }
}
