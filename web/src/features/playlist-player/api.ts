import type { AddVideosResult, Video, VideoLookUp } from '@looptide/contracts/http/videos'
import { useEffect, useEffectEvent } from 'react'
import useSWR from 'swr'
import { api } from '../../lib/clients.ts'
import { isPending, PENDING_REFRESH_MS } from '../playlists/api.ts'

/** Most videos that one request looks up (contracts, MAX_LOOK_UP). */
const LOOK_UP_LIMIT = 100

/** Puts videos into the library by their YouTube ids; a verdict for each, in this order. */
export function addToLibrary(youtubeIds: readonly string[]): Promise<AddVideosResult> {
  const urls = youtubeIds.map((id) => `https://www.youtube.com/watch?v=${id}`)
  return api.post('/api/videos', { urls, category: 'YouTube Playlist' }, { timeoutMs: 60_000 })
}

/** Looks after the videos whose titles are on their way, and tells what has become known of them. */
export function useNewsOf(
  videos: readonly Video[],
  onNews: (videos: ReadonlyMap<string, Video>) => void,
): void {
  const waiting = [...new Set(videos.filter(isPending).map(({ id }) => id))].slice(0, LOOK_UP_LIMIT)
  const { data } = useSWR(
    waiting.length === 0 ? null : ['/api/videos/lookup', waiting.join()],
    ([path, ids]) => api.get<VideoLookUp>(path, { query: { ids } }),
    { refreshInterval: PENDING_REFRESH_MS },
  )
  const tell = useEffectEvent(onNews)
  useEffect(() => {
    const known = data?.items.filter((video) => !isPending(video)) ?? []
    if (known.length > 0) tell(new Map(known.map((video) => [video.id, video])))
  }, [data])
}
