import type { LikeResult } from '@looptide/contracts/http/likes'
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
const videoInput = (id: string) => ({ params: { id } })

/** The likes of a video. `isPublic` is false for a video that nobody can like: it is not in the public library. */
export function useLikes(videoId: string): ShownLike & { isPublic: boolean | undefined } {
  const { userId } = useSession()
  const own = useCall('GET /api/me/likes', userId ? { query: { ids: videoId } } : null, { userId })
  const video = useCall('GET /api/videos/:id', videoInput(videoId), PUBLIC)
  const [item] = own.data?.items ?? []
  return {
    // What the catalogue says may be seconds old; one's own like is in the exact number.
    likeCount: item?.likeCount ?? video.data?.likeCount,
    liked: userId ? own.data && item !== undefined : false,
    isPublic: video.data ? true : video.error ? false : undefined,
  }
}

/** Likes a video or takes the like back, and updates what the page shows of it. Throws `ApiError`. */
export async function setLiked(videoId: string, liked: boolean): Promise<LikeResult> {
  const call = liked ? 'PUT /api/videos/:id/like' : 'DELETE /api/videos/:id/like'
  const result = await api.call(call, videoInput(videoId))
  const { likeCount } = result
  await Promise.all([
    mutate(isKeyOf('GET /api/me/likes')),
    mutate(
      keyOf('GET /api/videos/:id', videoInput(videoId), { ...PUBLIC, userId: undefined }),
      (known: object | undefined) => known && { ...known, likeCount },
      { revalidate: false },
    ),
  ])
  return result
}
