import { useState } from 'react'
import { countText } from '../count-text.ts'
import { showFailure } from '../failures.ts'
import { useSession } from '../session/session.tsx'
import { useAskToSignIn } from '../session/use-ask-to-sign-in.ts'
import { setLiked, useLikes } from './like-api.ts'

/** A number of likes as a text. */
export const likesText = (count: number): string => countText(count, 'like')

/**
 * The likes of a video, and a function that likes it or takes the like back. A press shows at once, and is undone if the
 * server refuses it. `likeCount`: the number that is known already.
 */
export function useLikeToggle(video: { id: string; likeCount?: number }) {
  const { status } = useSession()
  const askToSignIn = useAskToSignIn('Please sign in to like videos')
  const known = useLikes(video.id)
  const [wanted, setWanted] = useState<boolean>()
  const before = known.liked ?? false
  const liked = wanted ?? before
  const change = liked === before ? 0 : liked ? 1 : -1
  const toggle = async () => {
    if (status !== 'signed-in') return askToSignIn()
    if (wanted !== undefined) return
    // Until the viewer's like is known, the heart is empty, and a press likes: that changes nothing if it was liked already.
    setWanted(!before)
    try {
      await setLiked(video.id, !before)
    } catch (failure) {
      const text = 'Please try again.'
      showFailure(failure, {
        title: before ? 'Could not take the like back' : 'Could not like this video',
        text,
      })
    } finally {
      setWanted(undefined)
    }
  }
  return {
    liked,
    likeCount: Math.max(0, (known.likeCount ?? video.likeCount ?? 0) + change),
    isPublic: known.isPublic,
    toggle: () => void toggle(),
  }
}
