import type { Video } from '@looptide/contracts/http/videos'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { playerRange } from '../../lib/media/player-range.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useSessionEnd } from '../../lib/session/use-session-end.ts'
import { toast } from '../../ui/toast.ts'
import { countView, fetchVideo } from './api.ts'
import type { LiveSession } from './player/live-session.ts'
import type { SelectedVideo } from './player/live-state.ts'
import { useLiveState } from './use-live-session.ts'

/** Converts a catalogue video for the player: YouTube videos by id, others by URL. */
const toSelectedVideo = (video: Video): SelectedVideo => ({
  title: video.title,
  artistName: video.artistName,
  youtubeId: video.youtubeId,
  mediaUrl: video.youtubeId ? null : video.videoUrl,
  ...playerRange(video),
})

/**
 * Returns a function that plays a catalogue video only for this viewer. `chosenId` is a video chosen on another page;
 * `onTaken` is called when it has been requested.
 */
export function useSelectedVideo(
  session: LiveSession,
  chosenId: string | undefined,
  onTaken: () => void,
): (videoId: string) => void {
  const { status } = useSession()
  const isSignedIn = status === 'signed-in'
  const opened = useOpenedVideo(session)
  const newestRequest = useRef<string>(undefined)

  const select = useCallback(
    async (videoId: string) => {
      newestRequest.current = videoId
      if (!isSignedIn) {
        toast({ title: 'Sign In Required', description: 'Please sign in to watch videos', tone: 'error' })
        return
      }
      try {
        const video = await fetchVideo(videoId)
        if (newestRequest.current !== videoId) return
        const live = toSelectedVideo(video)
        opened.current = { id: video.id, live }
        session.select(live)
        toast({ title: 'Video Selected', description: `Now playing: ${video.title}` })
      } catch {
        toast({ title: 'Error', description: 'This video cannot be played right now.', tone: 'error' })
      }
    },
    [session, isSignedIn, opened],
  )

  useSessionEnd(() => {
    newestRequest.current = undefined
    session.backToLive()
  })

  const takeChosen = useEffectEvent((videoId: string) => {
    onTaken()
    void select(videoId)
  })
  useEffect(() => {
    if (chosenId && status !== 'unknown') takeChosen(chosenId)
  }, [chosenId, status])

  return (videoId) => void select(videoId)
}

/** Counts a view once the selected video plays, and shows a toast when the page returns to the live stream. */
function useOpenedVideo(session: LiveSession) {
  const opened = useRef<{ id: string; live: SelectedVideo }>(undefined)
  const before = useRef<SelectedVideo>(undefined)
  const { selected, phase } = useLiveState(session)

  useEffect(() => {
    if (phase !== 'playing' || !selected || selected !== opened.current?.live) return
    countView(opened.current.id)
    opened.current = undefined
  }, [selected, phase])
  useEffect(() => {
    if (before.current && !selected) toast({ title: 'Switching to Live Stream' })
    before.current = selected
  }, [selected])

  return opened
}
