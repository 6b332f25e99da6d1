import type { Video } from '@looptide/contracts/http/videos'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Frame } from '../../../lib/media/frame.ts'
import { playerRange } from '../../../lib/media/player-range.ts'
import { VideoScreen } from '../../../lib/media/video-screen.tsx'
import { storeResume, takeResume } from './resume.ts'

/** The current video of the queue. Its position survives a reload. */
export function QueueScreen(props: {
  /** The key of the queue entry. */
  entryKey: string
  video: Video
  turn: string
  isPlaying: boolean
  youtubeBaseUrl: string
  onPlaying: (isPlaying: boolean) => void
  onEnded: () => void
  onFailed: () => void
}) {
  const { entryKey, isPlaying, ...screen } = props
  const frame = useRef<Frame>(undefined)
  const keepPosition = useEffectEvent(() => {
    if (frame.current) storeResume({ key: entryKey, positionS: frame.current.positionS(), isPlaying })
  })
  useEffect(() => {
    const onLeave = () => keepPosition()
    window.addEventListener('pagehide', onLeave)
    return () => window.removeEventListener('pagehide', onLeave)
  }, [])
  return (
    <VideoScreen
      {...screen}
      isPlaying={isPlaying}
      range={playerRange(props.video)}
      resumeS={() => takeResume(entryKey)?.positionS}
      onFrame={(loaded) => {
        frame.current = loaded
      }}
    />
  )
}
