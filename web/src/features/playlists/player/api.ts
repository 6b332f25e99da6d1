import type { AddVideosResult, Video } from '@looptide/contracts/http/videos'
import { useEffect, useEffectEvent } from 'react'
import { useCall } from '../../../lib/api/use-call.ts'
import { api } from '../../../lib/clients.ts'
import { isPending, PENDING_REFRESH_MS } from '../api.ts'

/** Maximum number of videos per look-up request (contracts, MAX_LOOK_UP). */
const LOOK_UP_LIMIT = 100

/**
 * Adds videos by their YouTube ids and returns a result for each, in the same order. Videos of users who edit
 * the library enter it at once, in the category of docs/product/admin.md §3; those of others are submitted for review.
 */
export function addToLibrary(youtubeIds: readonly string[], mayEdit: boolean): Promise<AddVideosResult> {
  const urls = youtubeIds.map((id) => `https://www.youtube.com/watch?v=${id}`)
  const body = mayEdit ? { urls, category: 'YouTube Playlist' as const } : { urls }
  return api.call('POST /api/videos', { body }, { timeoutMs: 60_000 })
}

/** Whether its title or a moderator's decision is pending. */
const isOpen = (video: Video): boolean => isPending(video) || video.review?.state === 'submitted'

/**
 * Calls back with the current state of videos whose title or review is pending. Titles are polled; a decision is
 * fetched when the page opens and when one is pushed.
 */
export function useNewsOf(
  videos: readonly Video[],
  onNews: (videos: ReadonlyMap<string, Video>) => void,
): void {
  const waiting = [...new Set(videos.filter(isOpen).map(({ id }) => id))].slice(0, LOOK_UP_LIMIT)
  const { data } = useCall(
    'GET /api/videos/lookup',
    waiting.length === 0 ? null : { query: { ids: waiting.join() } },
    { refreshInterval: videos.some(isPending) ? PENDING_REFRESH_MS : 0 },
  )
  const notify = useEffectEvent(onNews)
  useEffect(() => {
    const known = data?.items.filter((video) => !isPending(video)) ?? []
    if (known.length > 0) notify(new Map(known.map((video) => [video.id, video])))
  }, [data])
}
