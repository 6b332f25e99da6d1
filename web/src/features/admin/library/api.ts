import type { VideoCategory } from '@looptide/contracts/common'
import type { MetadataJob, MetadataJobState } from '@looptide/contracts/http/metadata'
import type { AddVideosBody, AddVideosResult, VideoPage, VideoSort } from '@looptide/contracts/http/videos'
import { topics } from '@looptide/contracts/realtime'
import { useEffect, useRef, useState } from 'react'
import useSWRImmutable from 'swr/immutable'
import useSWRInfinite from 'swr/infinite'
import { api } from '../../../lib/clients.ts'
import { useTopic } from '../../../lib/use-topic.ts'
import { withAddedVideo, withoutVideo, withVideo } from './library-pages.ts'
import { ITEMS_PER_REQUEST, inPortions } from './url-lines.ts'

export type MetadataProgress = { state: MetadataJobState; reason: string | null }

/** Which part of the library is shown, and in which order. */
export type LibraryWish = { text: string; sort: VideoSort; category: VideoCategory | undefined }

/** The library has hidden videos as well, with a text or without. */
const queryOf = ({ text, sort, category }: LibraryWish, cursor?: string) => ({
  all: true,
  sort,
  category,
  cursor,
  q: text || undefined,
})

const isWhole = ({ text, sort, category }: LibraryWish): boolean =>
  text === '' && sort === 'newest' && category === undefined

type Listeners = {
  /** A video is gone, whoever deleted it. */
  onRemoved: (videoId: string) => void
  /** The worker has ended with a video: found its metadata, or given up. */
  onSettled: (youtubeId: string, state: 'done' | 'failed') => void
}

/**
 * The library page by page. What the worker finds out arrives by itself, as does how far it is (`progress`, by
 * YouTube id). After each rejoin the list is read anew.
 */
export function useLibrary(wish: LibraryWish, listeners: Listeners) {
  const [progress, setProgress] = useState<ReadonlyMap<string, MetadataProgress>>(new Map())
  const failed = useFailedLookUps()
  const pages = useSWRInfinite(
    (index: number, previous: VideoPage | null) => {
      if (index > 0 && !previous?.nextCursor) return null
      return ['library', wish, previous?.nextCursor ?? undefined] as const
    },
    ([, wanted, cursor]) => api.get<VideoPage>('/api/videos', { query: queryOf(wanted, cursor) }),
    // The first page is read again whenever the wish changes: meanwhile others may have deleted what it held.
    { revalidateOnFocus: false, keepPreviousData: true },
  )
  const change = (step: (known: VideoPage[]) => VideoPage[]) =>
    void pages.mutate((known) => known && step(known), { revalidate: false })
  const isPart = !isWhole(wish)
  const reloadSoon = useSoon(() => void pages.mutate())

  useTopic(
    'admin',
    topics.admin,
    {
      video: ({ video }) => {
        change((known) => withVideo(known, video, isPart))
        // Whether it belongs to this part now, only the server can tell.
        if (isPart) reloadSoon()
      },
      video_removed: ({ videoId }) => {
        change((known) => withoutVideo(known, videoId))
        listeners.onRemoved(videoId)
      },
      metadata: ({ youtubeId, state, reason }) => {
        setProgress((known) => new Map(known).set(youtubeId, { state, reason }))
        if (state === 'done' || state === 'failed') listeners.onSettled(youtubeId, state)
      },
    },
    () => void pages.mutate(),
  )

  const loaded = pages.data ?? []
  const nextCursor = loaded.at(-1)?.nextCursor ?? undefined
  return {
    videos: pages.data?.flatMap((page) => page.items),
    total: loaded[0]?.total,
    isTotalCapped: loaded[0]?.isTotalCapped ?? false,
    error: pages.error as unknown,
    progressOf: (youtubeId: string): MetadataProgress | undefined =>
      progress.get(youtubeId) ?? failed.get(youtubeId),
    hasMore: nextCursor !== undefined,
    isLoadingMore: pages.isValidating,
    loadMore: () => void pages.setSize((size) => size + 1),
    reload: () => pages.mutate(),
    /** As `reload`, but throws ApiError when the station does not answer; a reload keeps that to itself. */
    readAgain: async () => {
      await api.get<VideoPage>('/api/videos', { query: queryOf(wish) })
      await pages.mutate()
    },
    /** Shows at once what an answer already told. What the worker has found out may have come before the answer. */
    take: (result: AddVideosResult) =>
      change((known) =>
        result.lines.reduce(
          (list, line) => (line.video ? withAddedVideo(list, line.video, isPart) : list),
          known,
        ),
      ),
    /** The ids of everything that is wished for, also of what is not loaded, in the order of the list. */
    everyId: async (): Promise<string[]> => {
      const ids = loaded.flatMap((page) => page.items.map(({ id }) => id))
      for (let cursor = nextCursor; cursor !== undefined; ) {
        const page: VideoPage = await api.get('/api/videos', { query: queryOf(wish, cursor) })
        ids.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor ?? undefined
      }
      return ids
    },
  }
}
export type Library = ReturnType<typeof useLibrary>

const SOON_MS = 1_000

/** Does something once, a moment after it was first asked for, however often that was. */
function useSoon(work: () => void): () => void {
  const timer = useRef<number | undefined>(undefined)
  const latest = useRef(work)
  useEffect(() => {
    latest.current = work
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, SOON_MS)
  }
}

/** Why look-ups had failed before this page was opened, by YouTube id. */
function useFailedLookUps(): ReadonlyMap<string, MetadataProgress> {
  const { data } = useSWRImmutable('/api/metadata/jobs', (path: string) =>
    api.get<{ items: MetadataJob[] }>(path, { query: { state: 'failed', limit: 100 } }),
  )
  return new Map(data?.items.map(({ youtubeId, state, reason }) => [youtubeId, { state, reason }]))
}

/** Adds videos by their addresses, as many requests as it takes; the verdicts are in the order of the lines. */
export async function addVideos(wish: AddVideosBody): Promise<AddVideosResult> {
  const sum: AddVideosResult = { lines: [], added: 0, skipped: 0 }
  for (const urls of inPortions(wish.urls, ITEMS_PER_REQUEST)) {
    const result = await api.post<AddVideosResult>('/api/videos', { ...wish, urls })
    sum.lines.push(...result.lines)
    sum.added += result.added
    sum.skipped += result.skipped
  }
  return sum
}

type Count = { count: number }

/** Does something with many videos, as many requests as it takes; answers how many it was done with. */
async function withPortions(
  ids: readonly string[],
  request: (portion: string[]) => Promise<number>,
): Promise<number> {
  let count = 0
  for (const portion of inPortions(ids, ITEMS_PER_REQUEST)) count += await request(portion)
  return count
}

export const deleteVideos = (ids: readonly string[]): Promise<number> =>
  withPortions(ids, async (portion) => {
    const { count } = await api.delete<Count>('/api/videos', { body: { ids: portion } })
    return count
  })

export const moveVideos = (ids: readonly string[], category: VideoCategory): Promise<number> =>
  withPortions(ids, async (portion) => {
    const { count } = await api.post<Count>('/api/videos/move', { ids: portion, category })
    return count
  })

/** Appends to what the default channel plays, in the order of the ids. */
export const addToLive = (ids: readonly string[]): Promise<number> =>
  withPortions(ids, async (videoIds) => {
    const { items } = await api.post<{ items: unknown[] }>('/api/live-playlist', { videoIds })
    return items.length
  })

/** Asks YouTube again about these, or about all that still wait for their title. Answers about how many it asks. */
export async function updateMetadata(ids?: string[]): Promise<number> {
  const { count } = await api.post<Count>('/api/videos/update-metadata', ids ? { ids } : {})
  return count
}
