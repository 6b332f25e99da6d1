import type { Video } from '@looptide/contracts/http/videos'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import { useConfig } from '../../../lib/api/use-config.ts'
import type { Frame } from '../../../lib/media/frame.ts'
import { openMediaFrame } from '../../../lib/media/media-frame.ts'
import type { PlayerRange } from '../../../lib/media/player-range.ts'
import { openYouTubeFrame } from '../../../lib/media/youtube-frame.ts'

export interface TrimPlayerHandle {
  /** The current position, in ms of the media. */
  positionMs: () => number
}

/** Plays a part of a video with the player's own controls. A new `range` starts it again. */
export function TrimPlayer(props: { video: Video; range: PlayerRange; ref: Ref<TrimPlayerHandle> }) {
  const { video, range } = props
  const { youtubeBaseUrl, isSettled } = useConfig()
  const host = useRef<HTMLDivElement>(null)
  const frame = useRef<Frame | null>(null)
  const [hasFailed, setFailed] = useState(false)

  const open = useEffectEvent((place: HTMLElement, wanted: PlayerRange): Frame => {
    const listener = ({ type }: { type: string }) => setFailed(type === 'failed')
    return video.youtubeId
      ? openYouTubeFrame(place, { youtubeId: video.youtubeId, range: wanted }, youtubeBaseUrl, listener)
      : openMediaFrame(place, { url: video.videoUrl, title: video.title, range: wanted }, listener)
  })
  useEffect(() => {
    if (!host.current || !isSettled) return
    const opened = open(host.current, range)
    frame.current = opened
    return () => {
      opened.destroy()
      frame.current = null
    }
  }, [isSettled, range])
  useImperativeHandle(props.ref, () => ({
    positionMs: () => Math.round((frame.current?.positionS() ?? 0) * 1000),
  }))

  return (
    <div className="grid gap-2">
      <div
        ref={host}
        className="relative aspect-video w-full overflow-hidden rounded-md bg-black *:absolute *:inset-0"
      />
      {hasFailed && (
        <p role="alert" className="text-sm">
          The video cannot be played here. Enter the times instead.
        </p>
      )}
    </div>
  )
}
