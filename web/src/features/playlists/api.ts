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
import { allPages } from '../../lib/all-pages.ts'
import { api } from '../../lib/clients.ts'
import { useSession } from '../../lib/session.tsx'

const listsKey = (userId: string) => ['/api/playlists', userId] as const
const playlistKey = (id: string, readerId: string | undefined) => ['/api/playlist', id, readerId] as const
const itemsKey = (id: string, readerId: string | undefined) => ['/api/playlist/items', id, readerId] as const
const entriesKey = (videoId: string, userId: string) => ['/api/playlists/entries', videoId, userId] as const

const playlistPath = (id: string): string => `/api/playlists/${encodeURIComponent(id)}`

/** All playlists of the person who is signed in, newest first; asks nothing while nobody is. */
export function useOwnPlaylists() {
  const { userId } = useSession()
  return useSWR(userId ? listsKey(userId) : null, () => allPages<Playlist>('/api/playlists'))
}

/** What somebody shows to everybody, newest first. */
export function usePublicPlaylists(userId: string | undefined) {
  return useSWR(userId ? (['/api/playlists/public', userId] as const) : null, ([, owner]) =>
    allPages<Playlist>('/api/playlists', { query: { userId: owner } }),
  )
}

/** One's own or a public playlist; `not_found` for everything else. */
export function usePlaylist(id: string | undefined) {
  const { userId, status } = useSession()
  return useSWR(id && status !== 'unknown' ? playlistKey(id, userId) : null, ([, wanted]) =>
    api.get<Playlist>(playlistPath(wanted)),
  )
}

/** How the owner of a playlist is called. */
export function useOwner(userId: string | undefined) {
  return useSWR(userId ? (['/api/profiles', userId] as const) : null, ([path, owner]) =>
    api.get<Profile>(`${path}/${encodeURIComponent(owner)}`, { anonymous: true }),
  )
}

/** The entries of a playlist in their order, all of them. */
export function usePlaylistItems(id: string | undefined) {
  const { userId, status } = useSession()
  return useSWR(
    id && status !== 'unknown' ? itemsKey(id, userId) : null,
    ([, wanted]) => fetchPlaylistItems(wanted),
    { refreshInterval: (items) => (items?.some(({ video }) => isPending(video)) ? PENDING_REFRESH_MS : 0) },
  )
}

/** While YouTube is being asked about a video, how often we look whether it has answered. */
export const PENDING_REFRESH_MS = 3_000

/** Its title is still the placeholder's. */
export const isPending = (video: Video): boolean => video.metadataStatus === 'pending'

/** As {@link usePlaylistItems}, once. */
export const fetchPlaylistItems = (id: string): Promise<PlaylistItem[]> =>
  allPages<PlaylistItem>(`${playlistPath(id)}/items`)

/** As {@link usePlaylist}, once. */
export const fetchPlaylist = (id: string): Promise<Playlist> => api.get(playlistPath(id))

/** In which of one's own playlists a video is; asks only while wanted. */
export function useEntries(videoId: string, isWanted: boolean) {
  const { userId } = useSession()
  return useSWR(isWanted && userId ? entriesKey(videoId, userId) : null, async ([path, wanted]) => {
    const { items } = await api.get<PlaylistEntries>(path, { query: { videoId: wanted } })
    return items
  })
}

/**
 * What its owner does with playlists. Each resolves when the server has done it and every list on the page shows
 * it; each throws ApiError.
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

  /** Sees to it that a playlist holds a video; `default` is My List, which is made on first use. */
  async keep(id: string, videoId: string): Promise<EnsureVideoResult> {
    const result = await api.put<EnsureVideoResult>(
      `${playlistPath(id)}/videos/${encodeURIComponent(videoId)}`,
      undefined,
    )
    await renewContents(result.playlist.id)
    return result
  },

  /** Puts a video behind the last one, or back to `position` (from 0); it may be there more than once. */
  add(id: string, videoId: string, position?: number): Promise<PlaylistItem> {
    return changeItems(id, () => api.post<PlaylistItem>(`${playlistPath(id)}/items`, { videoId, position }))
  },

  /** Puts several videos behind the last one, in this order. */
  addAll(id: string, videoIds: readonly string[]): Promise<void> {
    return changeItems(id, async () => {
      for (const videoId of videoIds) await api.post(`${playlistPath(id)}/items`, { videoId })
    })
  },

  /** Removes an entry from the page at once; it is back if the server refuses. */
  async drop(id: string, itemId: string): Promise<void> {
    await showItems(id, (items) => items.filter((item) => item.id !== itemId))
    await changeItems(id, () => api.delete(`${playlistPath(id)}/items/${encodeURIComponent(itemId)}`))
  },

  /** Shows the new order at once; the old one is back when the server refuses it. */
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
