import type { Video } from '@looptide/contracts/http/videos'
import { useCallback, useEffect, useEffectEvent } from 'react'
import { useSession } from '../../lib/session.tsx'
import { toast } from '../../ui/toast.ts'
import { fetchVideo } from './api.ts'
import type { LiveSession } from './player/live-session.ts'
import type { LiveVideo } from './player/live-state.ts'

/** What the player needs of a catalogue video: YouTube by its id, anything else by its address. */
const toLiveVideo = ({ title, artistName, youtubeId, videoUrl }: Video): LiveVideo => ({
  title,
  artistName,
  youtubeId,
  mediaUrl: youtubeId ? null : videoUrl,
})

/** Plays a catalogue video for this viewer alone; answers how to choose another one. */
export function useSelectedVideo(
  session: LiveSession,
  chosenId: string | undefined,
): (videoId: string) => void {
  const { status } = useSession()
  const isSignedIn = status === 'signed-in'

  const select = useCallback(
    async (videoId: string) => {
      if (!isSignedIn) {
        toast({ title: 'Sign In Required', description: 'Please sign in to watch videos', tone: 'error' })
        return
      }
      try {
        const video = await fetchVideo(videoId)
        session.select(toLiveVideo(video))
        toast({ title: 'Video Selected', description: `Now playing: ${video.title}` })
      } catch {
        toast({ title: 'Error', description: 'This video cannot be played right now.', tone: 'error' })
      }
    },
    [session, isSignedIn],
  )

  const selectChosen = useEffectEvent((videoId: string) => void select(videoId))
  useEffect(() => {
    if (chosenId && status !== 'unknown') selectChosen(chosenId)
  }, [chosenId, status])

  return (videoId) => void select(videoId)
}
