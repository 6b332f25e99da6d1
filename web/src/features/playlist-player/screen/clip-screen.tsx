import { useEffect, useEffectEvent, useRef } from 'react'
import type { ScreenEvents } from './youtube-frame.ts'

/** A clip of the station's own; another `turn` plays it from its beginning. */
export function ClipScreen(
  props: ScreenEvents & { url: string; turn: number; isPlaying: boolean; title: string },
) {
  const { url, turn, isPlaying } = props
  const video = useRef<HTMLVideoElement>(null)
  const onRefused = useEffectEvent((failure: unknown) => {
    // A load that replaced this one is no refusal.
    const isReplaced = failure instanceof DOMException && failure.name === 'AbortError'
    if (!isReplaced) props.onPlaying(false)
  })

  useEffect(() => {
    if (video.current) video.current.currentTime = 0
  }, [url, turn])
  useEffect(() => {
    if (!isPlaying) video.current?.pause()
    else video.current?.play().catch((failure: unknown) => onRefused(failure))
  }, [isPlaying, url, turn])

  return (
    // biome-ignore lint/a11y/useMediaCaption: the station's clips have none.
    <video
      ref={video}
      src={url}
      controls
      playsInline
      aria-label={props.title}
      className="absolute inset-0 size-full bg-black"
      onPlaying={() => props.onPlaying(true)}
      onPause={(event) => {
        // A clip at its end pauses too; what follows is the queue's business.
        if (!event.currentTarget.ended) props.onPlaying(false)
      }}
      onEnded={props.onEnded}
      onError={props.onFailed}
    />
  )
}
