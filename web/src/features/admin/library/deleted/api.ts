import type { DeletedVideo, DeletedVideoPage, RestoreResult } from '@looptide/contracts/http/deleted-videos'
import useSWRInfinite from 'swr/infinite'
import { api } from '../../../../lib/clients.ts'
import { ITEMS_PER_REQUEST, inBatches } from '../url-lines.ts'

const DELETED = '/api/videos/deleted'

/** Recently deleted videos, page by page, newest deletion first. */
export function useDeletedVideos() {
  const pages = useSWRInfinite(
    (index: number, previous: DeletedVideoPage | null) =>
      index > 0 && !previous?.nextCursor ? null : ([DELETED, previous?.nextCursor ?? undefined] as const),
    ([path, cursor]) => api.get<DeletedVideoPage>(path, { query: { cursor } }),
    { revalidateOnFocus: false },
  )
  const loaded = pages.data ?? []
  return {
    items: pages.data?.flatMap((page): DeletedVideo[] => page.items),
    total: loaded[0]?.total,
    error: pages.error as unknown,
    hasMore: Boolean(loaded.at(-1)?.nextCursor),
    loadMore: () => void pages.setSize((size) => size + 1),
    reload: () => pages.mutate(),
  }
}

/** Restores deleted videos, in several requests if needed. `conflicts`: videos whose URL is in the library again. */
export async function restoreVideos(ids: readonly string[]): Promise<RestoreResult> {
  const sum: RestoreResult = { count: 0, conflicts: 0 }
  for (const batch of inBatches(ids, ITEMS_PER_REQUEST)) {
    const { count, conflicts } = await api.post<RestoreResult>('/api/videos/restore', { ids: batch })
    sum.count += count
    sum.conflicts += conflicts
  }
  return sum
}

/** Deletes videos permanently and returns their number. */
export async function purgeVideos(ids: readonly string[]): Promise<number> {
  let sum = 0
  for (const batch of inBatches(ids, ITEMS_PER_REQUEST)) {
    sum += (await api.delete<{ count: number }>(DELETED, { body: { ids: batch } })).count
  }
  return sum
}
