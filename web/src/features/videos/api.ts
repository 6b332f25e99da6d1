import type { VideoCategory } from '@looptide/contracts/common'
import type { VideoSort } from '@looptide/contracts/http/videos'
import { READ_ONCE, useCall } from '../../lib/api/use-call.ts'
import { useListPage } from '../../lib/api/use-list-page.ts'
import { api } from '../../lib/clients.ts'

/** Divisible by every number of tiles in a row: 2, 3, 4, 5 and 6. */
const PAGE_SIZE = 60

export interface ListQuery {
  q?: string | undefined
  sort: VideoSort
  category?: VideoCategory | undefined
}

/**
 * Public videos, filtered and sorted by the server, page by page; the previous list is shown until the next one is
 * loaded.
 */
export function useVideoList(query: ListQuery) {
  const { pages, ...list } = useListPage(
    'GET /api/videos',
    { query: { ...query, limit: PAGE_SIZE } },
    { anonymous: true, revalidateFirstPage: false, revalidateOnFocus: false, keepPreviousData: true },
  )
  return {
    ...list,
    total: list.first?.total,
    isTotalCapped: list.first?.isTotalCapped ?? false,
    reload: () => void pages.mutate(),
  }
}

/** One public video; no request for null. */
export function useVideo(videoId: string | null) {
  return useCall('GET /api/videos/:id', videoId === null ? null : { params: { id: videoId } }, {
    ...READ_ONCE,
    anonymous: true,
  })
}

/** Counts a view by this viewer. Best effort: failures are ignored. */
export function countView(videoId: string): void {
  void api.call('POST /api/videos/:id/views', { params: { id: videoId } }).catch(() => undefined)
}
