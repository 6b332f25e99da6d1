import type {
  CreatePlaylistBody,
  EnsureVideoResult,
  Playlist,
  PlaylistEntries,
  PlaylistItem,
  UpdatePlaylistBody,
} from '@looptide/contracts/http/playlists'
import type { Profile } from '@looptide/contracts/http/users'
import type { Video } from '@looptide/contracts/http/videos'
import pLimit, { type LimitFunction } from 'p-limit'
import useSWR, { mutate } from 'swr'
import { allPages } from '../../lib/api/all-pages.ts'
import { api } from '../../lib/clients.ts'
import { useSession } from '../../lib/session/session.tsx'

const listsKey = (userId: string) => ['/api/playlists', userId] as const
const playlistKey = (id: string, readerId: string | undefined) => ['/api/playlist', id, readerId] as const
const itemsKey = (id: string, readerId: string | undefined) => ['/api/playlist/items', id, readerId] as const
const entriesKey = (videoId: string, userId: string) => ['/api/playlists/entries', videoId, userId] as const

const playlistPath = (id: string): string => `/api/playlists/${encodeURIComponent(id)}`

/** All playlists of the signed-in user, newest first; no request while signed out. */
export function useOwnPlaylists() {
  const { userId } = useSession()
  return useSWR(userId ? listsKey(userId) : null, () => allPages<Playlist>('/api/playlists'))
}

/** The public playlists of a user, newest first. */
export function usePublicPlaylists(userId: string | undefined) {
  return useSWR(userId ? (['/api/playlists/public', userId] as const) : null, ([, owner]) =>
    allPages<Playlist>('/api/playlists', { query: { userId: owner } }),
  )
}

/** A public playlist or one of the user's own; `not_found` for any other. */
export function usePlaylist(id: string | undefined) {
  const { userId, status } = useSession()
  return useSWR(id && status !== 'unknown' ? playlistKey(id, userId) : null, ([, wanted]) =>
    api.get<Playlist>(playlistPath(wanted)),
  )
}

/** The display name of a playlist's owner. */
export function useOwner(userId: string | undefined) {
  return useSWR(userId ? (['/api/profiles', userId] as const) : null, ([path, owner]) =>
    api.get<Profile>(`${path}/${encodeURIComponent(owner)}`, { anonymous: true }),
  )
}

/** All entries of a playlist, in order. */
export function usePlaylistItems(id: string | undefined) {
  const { userId, status } = useSession()
  return useSWR(
    id && status !== 'unknown' ? itemsKey(id, userId) : null,
    ([, wanted]) => fetchPlaylistItems(wanted),
    { refreshInterval: (items) => (items?.some(({ video }) => isPending(video)) ? PENDING_REFRESH_MS : 0) },
  )
}

/** Interval at which the list is polled while a video's metadata is pending, in ms. */
export const PENDING_REFRESH_MS = 3_000

/** Whether its title is still the placeholder. */
export const isPending = (video: Video): boolean => video.metadataStatus === 'pending'

/** As {@link usePlaylistItems}, once. */
export const fetchPlaylistItems = (id: string): Promise<PlaylistItem[]> =>
  allPages<PlaylistItem>(`${playlistPath(id)}/items`)

/** As {@link usePlaylist}, once. */
export const fetchPlaylist = (id: string): Promise<Playlist> => api.get(playlistPath(id))

/** The user's playlists that contain a video; no request unless enabled. */
export function useEntries(videoId: string, isWanted: boolean) {
  const { userId } = useSession()
  return useSWR(isWanted && userId ? entriesKey(videoId, userId) : null, async ([path, wanted]) => {
    const { items } = await api.get<PlaylistEntries>(path, { query: { videoId: wanted } })
    return items
  })
}

/**
 * The owner's changes of playlists. Each resolves once the server has saved it and the lists on the page are updated;
 * each throws `ApiError`.
 */
export const playlistActions = {
  async create(body: CreatePlaylistBody): Promise<Playlist> {
    const playlist = await api.post<Playlist>('/api/playlists', body)
    await renewLists()
    return playlist
  },

  async update(id: string, change: UpdatePlaylistBody): Promise<Playlist> {
    const playlist = await api.patch<Playlist>(playlistPath(id), change)
    await Promise.all([renewLists(), renewPlaylist(id)])
    return playlist
  },

  async remove(id: string): Promise<void> {
    await api.delete(playlistPath(id))
    await Promise.all([renewLists(), renewEntries()])
  },

  /** Adds a video to a playlist unless it contains it; `default` is My List, which is created on first use. */
  async keep(id: string, videoId: string): Promise<EnsureVideoResult> {
    const result = await api.put<EnsureVideoResult>(
      `${playlistPath(id)}/videos/${encodeURIComponent(videoId)}`,
      undefined,
    )
    await renewContents(result.playlist.id)
    return result
  },

  /** Adds a video after the last one, or at `position` (from 0); duplicates are allowed. */
  add(id: string, videoId: string, position?: number): Promise<PlaylistItem> {
    return changeItems(id, () => api.post<PlaylistItem>(`${playlistPath(id)}/items`, { videoId, position }))
  },

  /** Adds several videos after the last one, in this order. */
  addAll(id: string, videoIds: readonly string[]): Promise<void> {
    return changeItems(id, async () => {
      for (const videoId of videoIds) await api.post(`${playlistPath(id)}/items`, { videoId })
    })
  },

  /** Removes an entry from the page at once, and restores it if the server refuses. */
  async drop(id: string, itemId: string): Promise<void> {
    await showItems(id, (items) => items.filter((item) => item.id !== itemId))
    await changeItems(id, () => api.delete(`${playlistPath(id)}/items/${encodeURIComponent(itemId)}`))
  },

  /** Shows the new order at once, and restores the old one if the server refuses. */
  async reorder(id: string, items: readonly PlaylistItem[]): Promise<void> {
    await showItems(id, () => [...items])
    await changeItems(id, () =>
      api.put(`${playlistPath(id)}/items/order`, { ids: items.map((item) => item.id) }),
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

const startsWith =
  (...parts: string[]) =>
  (key: unknown): boolean =>
    Array.isArray(key) && parts.every((part, index) => key[index] === part)
const isItemsOf = (id: string) => startsWith('/api/playlist/items', id)

const renewLists = () => mutate(startsWith('/api/playlists'))
const renewEntries = () => mutate(startsWith('/api/playlists/entries'))
const renewPlaylist = (id: string) => mutate(startsWith('/api/playlist', id))
const renewContents = (id: string) =>
  Promise.all([renewLists(), renewEntries(), renewPlaylist(id), mutate(isItemsOf(id))])
