import type { VideoCategory } from '@looptide/contracts/common'
import type { VideoAiring } from '@looptide/contracts/http/airings'
import { type AddChannelVideosResult, MAX_PLAYLIST_ITEMS } from '@looptide/contracts/http/channel-playlists'
import type { MetadataJobState } from '@looptide/contracts/http/metadata'
import type { Simulation } from '@looptide/contracts/http/simulation'
import type {
  AddVideosBody,
  AddVideosResult,
  TagList,
  Video,
  VideoPage,
  VideoSort,
} from '@looptide/contracts/http/videos'
import { type ServerPushes, topics } from '@looptide/contracts/realtime'
import { useState } from 'react'
import { mutate } from 'swr'
import { allPages } from '../../lib/api/all-pages.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { useBatches } from '../../lib/api/use-batches.ts'
import { isKeyOf, READ_ONCE, useCall } from '../../lib/api/use-call.ts'
import { useListPage } from '../../lib/api/use-list-page.ts'
import { usePushedChanges, useReload } from '../../lib/api/use-pushed-changes.ts'
import { api } from '../../lib/clients.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { useJobEnds } from '../admin/jobs/api.ts'
import { removeFromPlaylist } from '../admin/remove-from-playlist.ts'
import { type LibraryChange, removesUnloaded, withChanges } from './library-pages.ts'
import type { LookupPush } from './metadata-update.ts'
import { ITEMS_PER_REQUEST, inBatches } from './url-lines.ts'
import type { AllSelected } from './video-selection.ts'

export interface MetadataProgress {
  state: MetadataJobState
  reason: string | null
}

/** Search text, order, and the filters by category and tag of the library list. */
export interface LibraryQuery {
  text: string
  sort: VideoSort
  /** The opposite of the order that `sort` names. */
  reverse: boolean
  category: VideoCategory | undefined
  tag: string | undefined
}

/** `all` includes private videos. */
const pageQuery = (query: LibraryQuery) => ({ ...filterQuery(query), all: true })
const filterQuery = ({ text, sort, reverse, category, tag }: LibraryQuery) => ({
  sort,
  reverse: reverse || undefined,
  category,
  tag,
  q: text || undefined,
})

const isUnfiltered = ({ text, sort, reverse, category, tag }: LibraryQuery): boolean =>
  text === '' && sort === 'newest' && !reverse && category === undefined && tag === undefined

interface Listeners {
  /** Videos that were deleted, here or by another admin. */
  onRemoved: (videoIds: readonly string[]) => void
  /** The state of a metadata lookup has changed. */
  onLookup: (lookup: LookupPush) => void
}

/** Window in which pushes are batched, in ms. An import sends hundreds per second. */
const COLLECT_MS = 250

/**
 * The library, page by page. Changes of videos and the progress of metadata lookups (`progressOf`, by YouTube id) are
 * pushed. The list is reloaded after each reconnect.
 */
export function useLibrary(query: LibraryQuery, listeners: Listeners) {
  const failed = useFailedLookups()
  const { pages, items, first, ...paging } = useListPage(
    'GET /api/videos',
    { query: pageQuery(query) },
    // Without `revalidateFirstPage: false`, since others may have deleted videos while another query was shown.
    { revalidateOnFocus: false, keepPreviousData: true },
  )
  const isFiltered = !isUnfiltered(query)
  const reloadSoon = useReload(pages, FILTERED_RELOAD_DELAY_MS)
  const changes = usePushedChanges<VideoPage[], LibraryChange>(pages, {
    apply: (known, pushed) => {
      // Only the server knows what matches the filter, and whether the total included a video that is not loaded.
      if (isFiltered ? pushed.some(({ kind }) => kind !== 'added') : removesUnloaded(known, pushed))
        reloadSoon()
      return withChanges(known, pushed, isFiltered)
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
      videos: reloadSoon,
      video_removed: ({ videoId }) => {
        changes.push({ kind: 'removed', videoId })
        remove(videoId)
      },
      metadata: report,
    },
    () => changes.reload(),
  )
  useJobEnds(() => changes.reload())

  return {
    ...paging,
    videos: items,
    total: first?.total,
    isTotalCapped: first?.isTotalCapped ?? false,
    progressOf: (youtubeId: string): MetadataProgress | undefined =>
      progress.get(youtubeId) ?? failed.get(youtubeId),
    reload: () => pages.mutate(),
    /** As `reload`, but throws ApiError if the request fails; `reload` does not report failures. */
    reloadOrThrow: async () => {
      await api.call('GET /api/videos', { query: pageQuery(query) })
      await pages.mutate()
    },
    /** Shows added videos from a response. Newer pushed states of these videos are kept. */
    showAdded: (result: AddVideosResult) =>
      changes.push(
        ...result.lines.flatMap(({ video }) => (video ? [{ kind: 'added' as const, video }] : [])),
      ),
    /** Shows the new state of a video from a response. */
    show: (video: Video) => changes.push({ kind: 'changed', video }),
  }
}
export type Library = ReturnType<typeof useLibrary>

/** Fetches the ids of all videos that match a query, loaded or not, in list order. */
export async function fetchAll(query: LibraryQuery): Promise<AllSelected> {
  const { text, category, tag } = query
  const ids = await allPages('GET /api/videos/ids', { query: filterQuery(query) })
  const filter = {
    ...(text !== '' && { q: text }),
    ...(category !== undefined && { category }),
    ...(tag !== undefined && { tag }),
  }
  return { filter, ids: new Set(ids) }
}

/** Delay before a filtered list is reloaded after a change, in ms. */
const FILTERED_RELOAD_DELAY_MS = 1_000

/** Progress of metadata lookups by YouTube id. Calls `onLookup` for each change. */
function useProgress({ onLookup }: Listeners) {
  const [progress, setProgress] = useState<ReadonlyMap<string, MetadataProgress>>(new Map())
  const collect = useBatches<LookupPush>((pushes) => {
    setProgress((known) => {
      const next = new Map(known)
      for (const { youtubeId, state, reason } of pushes) next.set(youtubeId, { state, reason })
      return next
    })
    for (const push of pushes) onLookup(push)
  }, COLLECT_MS)
  const report = (push: ServerPushes['admin']['metadata']) =>
    collect({ ...push, receivedAtMs: performance.now() })
  return { progress, report }
}

/** Lookups that failed before this page was opened, by YouTube id. */
function useFailedLookups(): ReadonlyMap<string, MetadataProgress> {
  const { data } = useCall('GET /api/metadata/jobs', { query: { state: 'failed', limit: 100 } }, READ_ONCE)
  return new Map(data?.items.map(({ youtubeId, state, reason }) => [youtubeId, { state, reason }]))
}

/** Adds at most {@link ITEMS_PER_REQUEST} videos by URL. The results are in the order of the URLs. */
export const addVideos = (body: AddVideosBody): Promise<AddVideosResult> =>
  api.call('POST /api/videos', { body })

/** Simulates adding videos to a channel's playlist; changes nothing. Throws ApiError if they do not fit in it. */
export async function simulateAdding(channelId: string, videoIds: readonly string[]): Promise<Simulation> {
  if (videoIds.length > MAX_PLAYLIST_ITEMS) {
    // The server would refuse a body of this size as invalid, without the reason.
    throw new ApiError({
      status: 422,
      code: 'unprocessable',
      message: `A playlist holds at most ${MAX_PLAYLIST_ITEMS} videos.`,
    })
  }
  return api.call('POST /api/channels/:id/simulate', {
    params: { id: channelId },
    body: { add: { videoIds: [...videoIds] }, hours: 1 },
  })
}

/**
 * Appends videos to the live playlist in the order of the ids and returns the ids of the new items. If a request fails,
 * the items added by earlier requests are removed again.
 */
export const addToLive = (channelId: string, ids: readonly string[]): Promise<string[]> =>
  addInBatches(channelId, ids, (videoIds) => api.call('POST /api/live-playlist', { body: { videoIds } }))

async function addInBatches(
  channelId: string,
  ids: readonly string[],
  add: (videoIds: string[]) => Promise<AddChannelVideosResult>,
): Promise<string[]> {
  const itemIds: string[] = []
  try {
    for (const videoIds of inBatches(ids, ITEMS_PER_REQUEST)) {
      const { items } = await add(videoIds)
      itemIds.push(...items.map(({ id }) => id))
    }
  } catch (failure) {
    if (itemIds.length > 0) await removeFromPlaylist(channelId, itemIds)
    throw failure
  }
  return itemIds
}

/** As {@link addToLive}, but for any channel. */
export const addToChannel = (channelId: string, ids: readonly string[]): Promise<string[]> =>
  addInBatches(channelId, ids, (videoIds) =>
    api.call('POST /api/channels/:id/playlist', { params: { id: channelId }, body: { videoIds } }),
  )

/** Requests metadata lookups for videos, or for all that have no title yet. Returns the videos' YouTube ids. */
export async function updateMetadata(ids?: string[]): Promise<string[]> {
  const { youtubeIds } = await api.call('POST /api/videos/update-metadata', { body: { ids } })
  return youtubeIds
}

/**
 * How often a video was on the air, and when last; null if it never was. Read together with the other videos of `batch`,
 * which are ids separated by commas.
 */
export function useAiring(videoId: string, batch: string): VideoAiring | null | undefined {
  const { data } = useCall('GET /api/channels/airings', { query: { ids: batch } }, READ_ONCE)
  return data && (data.items.find((item) => item.videoId === videoId) ?? null)
}

/** The tags of the library in lower case, most frequent first. Empty until they are loaded. */
export function useTags(): TagList['items'] {
  useJobEnds(reloadTags)
  return useCall('GET /api/videos/tags', {}).data?.items ?? []
}

/** Call it when tags have changed. */
export const reloadTags = (): void => void mutate(isKeyOf('GET /api/videos/tags'))
