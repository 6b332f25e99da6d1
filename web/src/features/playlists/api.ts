import type {
  CreatePlaylistBody,
  EnsureVideoResult,
  Playlist,
  PlaylistItem,
  UpdatePlaylistBody,
} from '@looptide/contracts/http/playlists'
import type { Video } from '@looptide/contracts/http/videos'
import pLimit, { type LimitFunction } from 'p-limit'
import { mutate } from 'swr'
import { allPages } from '../../lib/api/all-pages.ts'
import { isKeyOf, useAllPages, useCall } from '../../lib/api/use-call.ts'
import { api } from '../../lib/clients.ts'
import { useSession } from '../../lib/session/session.tsx'
import {
  changeLiked,
  fetchLiked,
  fetchLikedItems,
  LIKED_ID,
  useLikedItems,
  useLikedPlaylist,
} from './liked.ts'

/** All playlists of the signed-in user, newest first; no request while signed out. */
export function useOwnPlaylists() {
  const { userId } = useSession()
  return useAllPages('GET /api/playlists', userId ? {} : null, { userId })
}

/** The public playlists of a user, newest first. */
export function usePublicPlaylists(userId: string | undefined) {
  return useAllPages('GET /api/playlists', userId ? { query: { userId } } : null)
}

/** A public playlist or one of the user's own; `not_found` for any other. */
export function usePlaylist(id: string | undefined) {
  const { userId, status } = useSession()
  const isLiked = id === LIKED_ID && userId !== undefined
  const liked = useLikedPlaylist(isLiked)
  const input = id && !isLiked && status !== 'unknown' ? { params: { id } } : null
  const stored = useCall('GET /api/playlists/:id', input, { userId })
  return isLiked ? liked : stored
}

/** The display name of a playlist's owner. */
export function useOwner(userId: string | undefined) {
  return useCall('GET /api/profiles/:id', userId ? { params: { id: userId } } : null, { anonymous: true })
}

/** All entries of a playlist, in order. */
export function usePlaylistItems(id: string | undefined) {
  const { userId, status } = useSession()
  const isLiked = id === LIKED_ID
  const liked = useLikedItems(isLiked)
  const input = id && !isLiked && status !== 'unknown' ? { params: { id } } : null
  const stored = useAllPages('GET /api/playlists/:id/items', input, {
    userId,
    refreshInterval: (items) => (items?.some(({ video }) => isPending(video)) ? PENDING_REFRESH_MS : 0),
  })
  return isLiked ? liked : stored
}

/** Interval at which the list is polled while a video's metadata is pending, in ms. */
export const PENDING_REFRESH_MS = 3_000

/** Whether its title is still the placeholder. */
export const isPending = (video: Video): boolean => video.metadataStatus === 'pending'

/** As {@link usePlaylistItems}, once. */
export const fetchPlaylistItems = (id: string): Promise<PlaylistItem[]> =>
  id === LIKED_ID ? fetchLikedItems() : allPages('GET /api/playlists/:id/items', { params: { id } })

/** As {@link usePlaylist}, once. */
export const fetchPlaylist = (id: string, userId = ''): Promise<Playlist> =>
  id === LIKED_ID ? fetchLiked(userId) : api.call('GET /api/playlists/:id', { params: { id } })

/** The user's playlists that contain a video; no request unless enabled. */
export function useEntries(videoId: string, isWanted: boolean) {
  const { userId } = useSession()
  const input = isWanted && userId ? { query: { videoId } } : null
  return useCall('GET /api/playlists/entries', input, { userId }).data?.items
}

/**
 * The owner's changes of playlists. Each resolves once the server has saved it and the lists on the page are updated;
 * each throws `ApiError`.
 */
export const playlistActions = {
  async create(body: CreatePlaylistBody): Promise<Playlist> {
    const playlist = await api.call('POST /api/playlists', { body })
    await renewLists()
    return playlist
  },

  async update(id: string, change: UpdatePlaylistBody): Promise<Playlist> {
    const playlist = await api.call('PATCH /api/playlists/:id', { params: { id }, body: change })
    await Promise.all([renewLists(), renewPlaylist(id)])
    return playlist
  },

  async remove(id: string): Promise<void> {
    await api.call('DELETE /api/playlists/:id', { params: { id } })
    await Promise.all([renewLists(), renewEntries()])
  },

  /** Adds a video to a playlist unless it contains it; `default` is My List, which is created on first use. */
  async keep(id: string, videoId: string): Promise<EnsureVideoResult> {
    const result = await api.call('PUT /api/playlists/:id/videos/:videoId', { params: { id, videoId } })
    await renewContents(result.playlist.id)
    return result
  },

  /** Adds a video after the last one, or at `position` (from 0); duplicates are allowed. Liked begins with it. */
  async add(id: string, videoId: string, position?: number): Promise<void> {
    if (id === LIKED_ID) await changeLiked(videoId, true)
    else {
      await changeItems(id, () =>
        api.call('POST /api/playlists/:id/items', { params: { id }, body: { videoId, position } }),
      )
    }
  },

  /** Adds several videos after the last one, in this order. */
  addAll(id: string, videoIds: readonly string[]): Promise<void> {
    return changeItems(id, async () => {
      for (const videoId of videoIds)
        await api.call('POST /api/playlists/:id/items', { params: { id }, body: { videoId } })
    })
  },

  /** Removes an entry from the page at once, and restores it if the server refuses. */
  async drop(id: string, itemId: string): Promise<void> {
    if (id === LIKED_ID) return changeLiked(itemId, false)
    await showItems(id, (items) => items.filter((item) => item.id !== itemId))
    await changeItems(id, () =>
      api.call('DELETE /api/playlists/:id/items/:itemId', { params: { id, itemId } }),
    )
  },

  /** Shows the new order at once, and restores the old one if the server refuses. */
  async reorder(id: string, items: readonly PlaylistItem[]): Promise<void> {
    await showItems(id, () => [...items])
    await changeItems(id, () =>
      api.call('PUT /api/playlists/:id/items/order', {
        params: { id },
        body: { ids: items.map((item) => item.id) },
      }),
    )
  },
}

/** The requests that change the entries of each playlist, by playlist id. */
const itemChanges = new Map<string, LimitFunction>()

/**
 * Sends a change of a playlist's entries once its earlier changes are answered: an order that arrives after a removal
 * names an entry that is gone, and is refused. The entries are loaded again after the last waiting change.
 */
async function changeItems<T>(id: string, request: () => Promise<T>): Promise<T> {
  const oneAtATime = itemChanges.get(id) ?? pLimit(1)
  itemChanges.set(id, oneAtATime)
  try {
    return await oneAtATime(request)
  } finally {
    if (oneAtATime.activeCount + oneAtATime.pendingCount === 0) {
      itemChanges.delete(id)
      await renewContents(id)
    }
  }
}

/** Changes the entries on the page without loading them again. */
const showItems = (id: string, change: (items: PlaylistItem[]) => PlaylistItem[]) =>
  mutate<PlaylistItem[]>(isItemsOf(id), (items) => items && change(items), { revalidate: false })

const isItemsOf = (id: string) => isKeyOf('GET /api/playlists/:id/items', { id })

const renewLists = () => mutate(isKeyOf('GET /api/playlists'))
const renewEntries = () => mutate(isKeyOf('GET /api/playlists/entries'))
const renewPlaylist = (id: string) => mutate(isKeyOf('GET /api/playlists/:id', { id }))
const renewContents = (id: string) =>
  Promise.all([renewLists(), renewEntries(), renewPlaylist(id), mutate(isItemsOf(id))])
