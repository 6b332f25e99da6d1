import type { MetadataJobState } from '@looptide/contracts/http/metadata'
import type { AddVideosBody, AddVideosResult, VideoPage } from '@looptide/contracts/http/videos'
import { topics } from '@looptide/contracts/realtime'
import { useState } from 'react'
import useSWRInfinite from 'swr/infinite'
import { api } from '../../../lib/clients.ts'
import { useTopic } from '../../../lib/use-topic.ts'
import { withAddedVideo, withoutVideo, withVideo } from './library-pages.ts'
import { inPortions, URLS_PER_REQUEST } from './url-lines.ts'

export type MetadataProgress = { state: MetadataJobState; reason: string | null }

const libraryKey = (index: number, previous: VideoPage | null): [string, string | undefined] | null => {
  if (index === 0) return ['/api/videos', undefined]
  return previous?.nextCursor ? ['/api/videos', previous.nextCursor] : null
}

/**
 * The whole library, newest first, page by page. What the worker finds out arrives by itself, as does how far it is
 * (`progress`, by YouTube id). After each rejoin the list is read anew.
 */
export function useLibrary() {
  const [progress, setProgress] = useState<ReadonlyMap<string, MetadataProgress>>(new Map())
  const pages = useSWRInfinite(
    libraryKey,
    ([path, cursor]) => api.get<VideoPage>(path, { query: { all: true, sort: 'newest', cursor } }),
    { revalidateFirstPage: false, revalidateOnFocus: false },
  )
  const change = (step: (known: VideoPage[]) => VideoPage[]) =>
    void pages.mutate((known) => known && step(known), { revalidate: false })

  useTopic(
    'admin',
    topics.admin,
    {
      video: ({ video }) => change((known) => withVideo(known, video)),
      video_removed: ({ videoId }) => change((known) => withoutVideo(known, videoId)),
      metadata: ({ youtubeId, state, reason }) =>
        setProgress((known) => new Map(known).set(youtubeId, { state, reason })),
    },
    () => void pages.mutate(),
  )

  return {
    videos: pages.data?.flatMap((page) => page.items),
    total: pages.data?.[0]?.total,
    error: pages.error as unknown,
    progress,
    hasMore: Boolean(pages.data?.at(-1)?.nextCursor),
    isLoadingMore: pages.isValidating,
    loadMore: () => void pages.setSize(pages.size + 1),
    reload: () => void pages.mutate(),
    /** Shows at once what an answer already told. What the worker has found out may have come before the answer. */
    take: (result: AddVideosResult) =>
      change((known) =>
        result.lines.reduce((list, line) => (line.video ? withAddedVideo(list, line.video) : list), known),
      ),
  }
}

/** Adds videos by their addresses, as many requests as it takes; the verdicts are in the order of the lines. */
export async function addVideos(wish: AddVideosBody): Promise<AddVideosResult> {
  const sum: AddVideosResult = { lines: [], added: 0, skipped: 0 }
  for (const urls of inPortions(wish.urls, URLS_PER_REQUEST)) {
    const result = await api.post<AddVideosResult>('/api/videos', { ...wish, urls })
    sum.lines.push(...result.lines)
    sum.added += result.added
    sum.skipped += result.skipped
  }
  return sum
}
