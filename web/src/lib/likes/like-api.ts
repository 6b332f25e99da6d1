import type { LikeResult } from '@looptide/contracts/http/likes'
import type { VideoLookUp } from '@looptide/contracts/http/videos'
import { mutate } from 'swr'
import { isKeyOf, keyOf, useCall } from '../api/use-call.ts'
import { api } from '../clients.ts'
import { useSession } from '../session/session.tsx'

/** The number of likes of a video, and whether the viewer likes it; undefined until they are known. */
export interface ShownLike {
  likeCount: number | undefined
  liked: boolean | undefined
}

const PUBLIC = { anonymous: true } as const
const lookUpOf = (id: string) => ({ query: { ids: id } })

/** The likes of a video. `isPublic` is false for a video that nobody can like: it is not in the public library. */
export function useLikes(videoId: string): ShownLike & { isPublic: boolean | undefined } {
  const { userId } = useSession()
  const own = useCall('GET /api/me/likes', userId ? { query: { ids: videoId } } : null, { userId })
  // Of several videos: one that is not public is missing in the answer, instead of an error on its page.
  const { data: videos } = useCall('GET /api/videos/lookup', lookUpOf(videoId), PUBLIC)
  const [item] = own.data?.items ?? []
  return {
    // What the catalogue says may be seconds old; one's own like is in the exact number.
    likeCount: item?.likeCount ?? videos?.items[0]?.likeCount,
    liked: userId ? own.data && item !== undefined : false,
    isPublic: videos && videos.items.length > 0,
  }
}

/** Likes a video or takes the like back, and updates what the page shows of it. Throws `ApiError`. */
export async function setLiked(videoId: string, liked: boolean): Promise<LikeResult> {
  const call = liked ? 'PUT /api/videos/:id/like' : 'DELETE /api/videos/:id/like'
  const result = await api.call(call, { params: { id: videoId } })
  const { likeCount } = result
  await Promise.all([
    mutate(isKeyOf('GET /api/me/likes')),
    mutate(
      keyOf('GET /api/videos/lookup', lookUpOf(videoId), { ...PUBLIC, userId: undefined }),
      (known: VideoLookUp | undefined) =>
        known && { items: known.items.map((video) => ({ ...video, likeCount })) },
      { revalidate: false },
    ),
  ])
  return result
}
