import type { Video, VideoPage, VideoSort } from '@looptide/contracts/http/videos'
import useSWRImmutable from 'swr/immutable'
import useSWRInfinite from 'swr/infinite'
import { api } from '../../lib/clients.ts'

/** Tiles are drawn in rows of 2, 3, 4, 5 or 6. */
const PAGE_SIZE = 60

export type ListQuery = { q?: string | undefined; sort: VideoSort; category?: string | undefined }

/** Public videos, filtered and sorted by the server, page by page; the last list stays until the next is there. */
export function useVideoList(query: ListQuery) {
  const pages = useSWRInfinite(
    (index: number, previous: VideoPage | null) => {
      const cursor = index === 0 ? undefined : previous?.nextCursor
      return cursor === null ? null : (['/api/videos', query, cursor] as const)
    },
    ([path, query, cursor]) =>
      api.get<VideoPage>(path, { query: { ...query, cursor, limit: PAGE_SIZE }, anonymous: true }),
    { revalidateFirstPage: false, revalidateOnFocus: false, keepPreviousData: true },
  )
  const last = pages.data?.at(-1)
  return {
    videos: pages.data?.flatMap((page) => page.items),
    total: pages.data?.[0]?.total,
    isTotalCapped: pages.data?.[0]?.isTotalCapped ?? false,
    error: pages.error as unknown,
    /** The next page, if the last one here names one. */
    hasMore: Boolean(last?.nextCursor),
    isLoading: pages.isValidating,
    loadMore: () => void pages.setSize((size) => size + 1),
    reload: () => void pages.mutate(),
  }
}

/** One public video; null asks for none. */
export function useVideo(videoId: string | null) {
  return useSWRImmutable(videoId === null ? null : ['/api/videos', videoId], ([path, id]) =>
    api.get<Video>(`${path}/${encodeURIComponent(id)}`, { anonymous: true }),
  )
}

/** Tells that a player of this viewer has opened a video. A view that gets lost is no loss to the viewer. */
export function countView(videoId: string): void {
  void api.post(`/api/videos/${encodeURIComponent(videoId)}/views`).catch(() => undefined)
}
