import type { LikePage } from '@looptide/contracts/http/likes'
import type { Playlist, PlaylistItem } from '@looptide/contracts/http/playlists'
import { MAX_LOOK_UP } from '@looptide/contracts/http/videos'
import useSWR, { mutate, type SWRResponse } from 'swr'
import { isKeyOf, keyOf, useCall } from '../../lib/api/use-call.ts'
import { useConfig } from '../../lib/api/use-config.ts'
import { api } from '../../lib/clients.ts'
import { useSession } from '../../lib/session/session.tsx'

// The playlist Liked: what the viewer likes, newest first. It is made of the likes, so it cannot be renamed, shared or
// deleted, and removing a video from it takes the like back.

/** The id of the playlist in addresses of pages. */
export const LIKED_ID = 'liked'
/** Videos of a playlist: the newest likes. */
const MAX_ITEMS = 1000
const LIKES = 'GET /api/me/likes'
const SUMMARY = { query: { limit: 1 } }
const NEWEST = { query: { limit: MAX_ITEMS } }

const playlistOf = (userId: string, { total }: LikePage): Playlist => ({
  id: LIKED_ID,
  name: 'Liked',
  description: null,
  userId,
  shuffleMode: false,
  loopMode: 'off',
  autoAdvance: true,
  isPublic: false,
  isDefault: false,
  itemCount: Math.min(total, MAX_ITEMS),
  createdAt: '',
})

/** The playlist Liked, also without videos; no request unless it is wanted, while signed out, and where nothing can be liked. */
export function useLikedPlaylist(isWanted = true) {
  const { userId } = useSession()
  const { requests } = useConfig()
  const likes = useCall(LIKES, isWanted && requests && userId ? SUMMARY : null, { userId })
  return { ...likes, data: likes.data && playlistOf(userId ?? '', likes.data) }
}

/** A user's playlists with Liked as the first one, as soon as it has a video. */
export const withLiked = (playlists: Playlist[], liked: Playlist | undefined): Playlist[] =>
  liked && liked.itemCount > 0 ? [liked, ...playlists] : playlists

/** The playlist Liked, once. */
export const fetchLiked = async (userId: string): Promise<Playlist> =>
  playlistOf(userId, await api.call(LIKES, SUMMARY))

/** The entries of the playlist Liked, newest like first; no request unless they are wanted. */
export function useLikedItems(isWanted: boolean): SWRResponse<PlaylistItem[]> {
  const { userId } = useSession()
  const key = isWanted && userId ? keyOf(LIKES, NEWEST, { userId, shape: 'derived' }) : null
  return useSWR(key, fetchLikedItems)
}

/** As {@link useLikedItems}, once. An entry has the id of its video. */
export async function fetchLikedItems(): Promise<PlaylistItem[]> {
  const { items } = await api.call(LIKES, NEWEST)
  const ids = items.map(({ videoId }) => videoId)
  const parts = Array.from({ length: Math.ceil(ids.length / MAX_LOOK_UP) }, (_, part) =>
    ids.slice(part * MAX_LOOK_UP, (part + 1) * MAX_LOOK_UP),
  )
  const found = await Promise.all(
    parts.map((some) => api.call('GET /api/videos/lookup', { query: { ids: some.join() } })),
  )
  const videos = new Map(found.flatMap((page) => page.items.map((video) => [video.id, video] as const)))
  return ids
    .flatMap((id) => videos.get(id) ?? [])
    .map((video, position) => ({ id: video.id, position, video }))
}

/** Likes a video, or takes the like back and removes the video from the page at once. It returns if the server refuses. */
export async function changeLiked(videoId: string, liked: boolean): Promise<void> {
  const isItems = (key: unknown) =>
    isKeyOf(LIKES)(key) && (key as { shape?: string }[])[2]?.shape === 'derived'
  const without = (items?: PlaylistItem[]) => items?.filter(({ id }) => id !== videoId)
  if (!liked) await mutate<PlaylistItem[]>(isItems, without, { revalidate: false })
  try {
    // Many parts of the pages load this file, few change a like.
    const { setLiked } = await import('../../lib/likes/like-api.ts')
    await setLiked(videoId, liked)
  } catch (failure) {
    await mutate(isItems)
    throw failure
  }
}
