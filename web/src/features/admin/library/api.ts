import type { VideoCategory } from '@looptide/contracts/common'
import type { AddChannelVideosResult } from '@looptide/contracts/http/channels'
import type { MetadataJob, MetadataJobState } from '@looptide/contracts/http/metadata'
import type { Simulation } from '@looptide/contracts/http/simulation'
import type {
  AddVideosBody,
  AddVideosResult,
  Video,
  VideoPage,
  VideoSort,
} from '@looptide/contracts/http/videos'
import { type ServerPushes, topics } from '@looptide/contracts/realtime'
import { useState } from 'react'
import useSWRImmutable from 'swr/immutable'
import useSWRInfinite from 'swr/infinite'
import { allPages } from '../../../lib/all-pages.ts'
import { api } from '../../../lib/clients.ts'
import { useBatches } from '../../../lib/use-batches.ts'
import { usePushedChanges, useReload } from '../../../lib/use-pushed-changes.ts'
import { useTopic } from '../../../lib/use-topic.ts'
import { type LibraryChange, removesUnloaded, withChanges } from './library-pages.ts'
import { ITEMS_PER_REQUEST, inPortions } from './url-lines.ts'

export type MetadataProgress = { state: MetadataJobState; reason: string | null }

/** Which part of the library is shown, and in which order. */
export type LibraryQuery = { text: string; sort: VideoSort; category: VideoCategory | undefined }

/** The library has hidden videos as well, with a text or without. */
const queryOf = (query: LibraryQuery, cursor?: string) => ({ ...partOf(query), all: true, cursor })
const partOf = ({ text, sort, category }: LibraryQuery) => ({ sort, category, q: text || undefined })

const isWhole = ({ text, sort, category }: LibraryQuery): boolean =>
  text === '' && sort === 'newest' && category === undefined

type Listeners = {
  /** Videos that were deleted, here or by somebody else. */
  onRemoved: (videoIds: readonly string[]) => void
  /** The worker has ended with a video: found its metadata, or given up. */
  onSettled: (youtubeId: string, state: 'done' | 'failed') => void
}

/** Pushes that arrive within this time are handled together: an import sends hundreds a second (ms). */
const COLLECT_MS = 250

/**
 * The library page by page. What the metadata worker finds is pushed, as is its progress (`progressOf`, by YouTube id).
 * After each rejoin the list is read again.
 */
export function useLibrary(query: LibraryQuery, listeners: Listeners) {
  const failed = useFailedLookUps()
  const pages = useSWRInfinite(
    (index: number, previous: VideoPage | null) => {
      if (index > 0 && !previous?.nextCursor) return null
      return ['library', query, previous?.nextCursor ?? undefined] as const
    },
    ([, wanted, cursor]) => api.get<VideoPage>('/api/videos', { query: queryOf(wanted, cursor) }),
    // The first page is read again whenever the query changes: meanwhile others may have deleted what it held.
    { revalidateOnFocus: false, keepPreviousData: true },
  )
  const isPart = !isWhole(query)
  const reloadSoon = useReload(pages, SOON_MS)
  const changes = usePushedChanges<VideoPage[], LibraryChange>(pages, {
    apply: (known, pushed) => {
      // Only the server knows what belongs to a part now, and whether it counted a video that is not loaded.
      if (isPart ? pushed.some(({ kind }) => kind !== 'added') : removesUnloaded(known, pushed)) reloadSoon()
      return withChanges(known, pushed, isPart)
    },
    delayMs: COLLECT_MS,
  })
  const { progress, report } = useProgress(listeners)
  const remove = useBatches(listeners.onRemoved, COLLECT_MS)

  useTopic(
    'admin',
    topics.admin,
    {
      video: ({ video }) => changes.push({ kind: 'changed', video }),
      video_removed: ({ videoId }) => {
        changes.push({ kind: 'removed', videoId })
        remove(videoId)
      },
      metadata: report,
    },
    () => changes.reload(),
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
      await api.get<VideoPage>('/api/videos', { query: queryOf(query) })
      await pages.mutate()
    },
    /** Shows at once what an answer already told. What the worker has found out may have come before the answer. */
    take: (result: AddVideosResult) =>
      changes.push(
        ...result.lines.flatMap(({ video }) => (video ? [{ kind: 'added' as const, video }] : [])),
      ),
    /** Shows the new state of a video at once. */
    show: (video: Video) => changes.push({ kind: 'changed', video }),
    /** The ids of everything that is wished for, also of what is not loaded, in the order of the list. */
    everyId: (): Promise<string[]> => allPages<string>('/api/videos/ids', { query: partOf(query) }),
  }
}
export type Library = ReturnType<typeof useLibrary>

/** A part of the library is read again this long after a change (ms). */
const SOON_MS = 1_000

type MetadataPush = ServerPushes['admin']['metadata']

/** How far the worker is with videos, by YouTube id; tells the listener which look-ups have ended. */
function useProgress({ onSettled }: Listeners) {
  const [progress, setProgress] = useState<ReadonlyMap<string, MetadataProgress>>(new Map())
  const report = useBatches<MetadataPush>((pushes) => {
    setProgress((known) => {
      const next = new Map(known)
      for (const { youtubeId, state, reason } of pushes) next.set(youtubeId, { state, reason })
      return next
    })
    for (const { youtubeId, state } of pushes) {
      if (state === 'done' || state === 'failed') onSettled(youtubeId, state)
    }
  }, COLLECT_MS)
  return { progress, report }
}

/** Why look-ups had failed before this page was opened, by YouTube id. */
function useFailedLookUps(): ReadonlyMap<string, MetadataProgress> {
  const { data } = useSWRImmutable('/api/metadata/jobs', (path: string) =>
    api.get<{ items: MetadataJob[] }>(path, { query: { state: 'failed', limit: 100 } }),
  )
  return new Map(data?.items.map(({ youtubeId, state, reason }) => [youtubeId, { state, reason }]))
}

/** Adds videos by their addresses, as many requests as it takes; the verdicts are in the order of the lines. */
export async function addVideos(body: AddVideosBody): Promise<AddVideosResult> {
  const sum: AddVideosResult = { lines: [], added: 0, skipped: 0 }
  for (const urls of inPortions(body.urls, ITEMS_PER_REQUEST)) {
    const result = await api.post<AddVideosResult>('/api/videos', { ...body, urls })
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

const channelPath = (channelId: string): string => `/api/channels/${encodeURIComponent(channelId)}`

/** What a channel would play with these videos added to its playlist; changes nothing. */
export const simulateAdding = (channelId: string, videoIds: readonly string[]): Promise<Simulation> =>
  api.post(`${channelPath(channelId)}/simulate`, { add: { videoIds }, hours: 1 })

/**
 * Appends videos to a channel's playlist in the order of the ids, and returns the ids of the new items. If a later
 * request fails, what the earlier ones added is removed again.
 */
export const addToLive = (channelId: string, ids: readonly string[]): Promise<string[]> =>
  addInPortions(channelId, ids, '/api/live-playlist')

async function addInPortions(channelId: string, ids: readonly string[], path: string): Promise<string[]> {
  const itemIds: string[] = []
  try {
    for (const videoIds of inPortions(ids, ITEMS_PER_REQUEST)) {
      const { items } = await api.post<AddChannelVideosResult>(path, { videoIds })
      itemIds.push(...items.map(({ id }) => id))
    }
  } catch (failure) {
    if (itemIds.length > 0) await removeFromPlaylist(channelId, itemIds)
    throw failure
  }
  return itemIds
}

/** As {@link addToLive}, to the end of any channel's playlist. */
export const addToChannel = (channelId: string, ids: readonly string[]): Promise<string[]> =>
  addInPortions(channelId, ids, `${channelPath(channelId)}/playlist`)

/** Removes items from a channel's playlist in one change, and returns how many there were. */
export async function removeFromPlaylist(channelId: string, itemIds: readonly string[]): Promise<number> {
  const path = `${channelPath(channelId)}/playlist`
  const { removed } = await api.delete<{ removed: number }>(path, { body: { itemIds } })
  return removed
}

/** Asks YouTube again about these, or about all that still wait for their title. Answers about how many it asks. */
export async function updateMetadata(ids?: string[]): Promise<number> {
  const { count } = await api.post<Count>('/api/videos/update-metadata', ids ? { ids } : {})
  return count
}
