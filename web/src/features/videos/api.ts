import { READ_ONCE, useCall } from '../../lib/api/use-call.ts'
import { readEarlyListPage, useListPage } from '../../lib/api/use-list-page.ts'
import { api } from '../../lib/clients.ts'
import { type ListQuery, listInput } from './list-query.ts'

/**
 * Public videos, filtered and sorted by the server, page by page; the previous list is shown until the next one is
 * loaded.
 */
export function useVideoList(query: ListQuery) {
  const { pages, ...list } = useListPage('GET /api/videos', listInput(query), {
    anonymous: true,
    revalidateFirstPage: false,
    revalidateOnFocus: false,
    keepPreviousData: true,
  })
  return {
    ...list,
    total: list.first?.total,
    isTotalCapped: list.first?.isTotalCapped ?? false,
    reload: () => void pages.mutate(),
  }
}

/** Lets the first render show the list that the start script has requested. */
export const readEarlyVideoList = (query: ListQuery): Promise<void> =>
  readEarlyListPage('GET /api/videos', listInput(query))

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
