import type { Video } from '@looptide/contracts/http/videos'
import { type RefCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { useConfig } from '../../lib/api/use-config.ts'
import type { Frame, FrameListener } from '../../lib/media/frame.ts'
import { openMediaFrame } from '../../lib/media/media-frame.ts'
import { playerRange } from '../../lib/media/player-range.ts'
import { openYouTubeFrame } from '../../lib/media/youtube-frame.ts'
import { countView } from './api.ts'
import { BEFORE_LOADING, type FrameState, nextFrameState } from './frame-state.ts'

export type FramePlayer = FrameState & {
  /** For the element that the frame is put into. */
  hostRef: RefCallback<HTMLDivElement>
  play: () => void
  pause: () => void
  replay: () => void
  retry: () => void
}

/**
 * Embeds a video in the host while mounted, and counts the view once its frame has loaded: YouTube's player for what
 * comes from there, `<video>` for our own clips.
 */
export function useFrame(video: Video): FramePlayer {
  const { youtubeBaseUrl, isSettled } = useConfig()
  // A dialog's content is mounted after the dialog: a callback ref reports when it is there.
  const [host, hostRef] = useState<HTMLDivElement | null>(null)
  const frame = useRef<Frame | null>(null)
  const [state, emit] = useReducer(nextFrameState, BEFORE_LOADING)
  const [attempt, setAttempt] = useState(1)

  const range = playerRange(video)
  const open = useEffectEvent(
    (host: HTMLElement, listener: FrameListener): Frame =>
      video.youtubeId
        ? openYouTubeFrame(host, { youtubeId: video.youtubeId, range }, youtubeBaseUrl, listener)
        : openMediaFrame(host, { url: video.videoUrl, title: video.title, range }, listener),
  )
  useEffect(() => {
    // Each further attempt opens the frame again.
    if (!host || !isSettled || attempt === 0) return
    const opened = open(host, emit)
    frame.current = opened
    return () => {
      opened.destroy()
      frame.current = null
    }
  }, [host, isSettled, attempt])

  const { hasLoaded } = state
  useEffect(() => {
    if (hasLoaded) countView(video.id)
  }, [hasLoaded, video.id])

  return {
    ...state,
    hostRef,
    play: () => frame.current?.play(),
    pause: () => frame.current?.pause(),
    replay: () => frame.current?.replay(),
    retry: () => {
      emit({ type: 'retry' })
      setAttempt(attempt + 1)
    },
  }
}
