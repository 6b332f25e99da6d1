import { useEffect, useEffectEvent, useRef } from 'react'
import { type ScreenEvents, YouTubeFrame } from './youtube-frame.ts'

/** A YouTube video in the page; another `turn` plays it from its beginning. */
export function YouTubeScreen(
  props: ScreenEvents & { baseUrl: string; youtubeId: string; turn: number; isPlaying: boolean },
) {
  const { baseUrl, youtubeId, turn, isPlaying } = props
  const host = useRef<HTMLDivElement>(null)
  const frame = useRef<YouTubeFrame>(undefined)
  const onPlaying = useEffectEvent(props.onPlaying)
  const onEnded = useEffectEvent(props.onEnded)
  const onFailed = useEffectEvent(props.onFailed)

  useEffect(() => {
    if (!host.current) return
    const made = new YouTubeFrame(host.current, baseUrl, {
      onPlaying: (playing) => onPlaying(playing),
      onEnded: () => onEnded(),
      onFailed: () => onFailed(),
    })
    frame.current = made
    return () => made.destroy()
  }, [baseUrl])
  useEffect(() => frame.current?.load(youtubeId), [youtubeId, turn, baseUrl])
  useEffect(() => frame.current?.setPlaying(isPlaying), [isPlaying])

  return <div ref={host} className="absolute inset-0 *:size-full" />
}
