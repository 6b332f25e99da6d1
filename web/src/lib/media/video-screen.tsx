import type { Video } from '@looptide/contracts/http/videos'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Frame, FrameEvent, FrameListener, SharedFrame } from './frame.ts'
import { openMediaFrame } from './media-frame.ts'
import type { PlayerRange } from './player-range.ts'
import { openYouTubeFrame } from './youtube-frame.ts'

/** The frame in the page: whether it is ready, and what it shows. */
interface Opened {
  frame: Frame | SharedFrame
  isLoaded: boolean
  turn: string
}

/**
 * The current video of several; a new `turn` plays it from its start. One YouTube frame is used for all of them, because
 * its user activation then applies to the next video too. A clip of the station has its own frame.
 */
export function VideoScreen(props: {
  video: Pick<Video, 'youtubeId' | 'videoUrl' | 'title'>
  /** The part of the video that is played. */
  range: PlayerRange
  turn: string
  isPlaying: boolean
  youtubeBaseUrl: string
  /** Where a frame that is opened begins, in seconds of the media; undefined for the start of the range. */
  resumeS?: () => number | undefined
  /** The frame once it has loaded; undefined before it is removed. */
  onFrame: (frame: Frame | undefined) => void
  onPlaying: (isPlaying: boolean) => void
  onEnded: () => void
  onFailed: () => void
}) {
  const { video, range, turn, isPlaying, youtubeBaseUrl } = props
  const host = useRef<HTMLDivElement>(null)
  const opened = useRef<Opened>(undefined)
  // The frame of a clip has one range.
  const frameName = video.youtubeId
    ? `youtube ${youtubeBaseUrl}`
    : `clip ${video.videoUrl} ${range.startAtMs} ${range.endAtMs}`

  const onEvent = useEffectEvent((event: FrameEvent) => {
    if (event.type === 'playing') props.onPlaying(true)
    else if (event.type === 'paused' || event.type === 'blocked') props.onPlaying(false)
    else if (event.type === 'ended') props.onEnded()
    else if (event.type === 'failed') props.onFailed()
    else if (opened.current) {
      opened.current.isLoaded = true
      props.onFrame(opened.current.frame)
      obey(opened.current)
    }
  })
  const open = useEffectEvent((place: HTMLElement, listener: FrameListener) => {
    const options = { fullscreen: 'frame', resumeS: props.resumeS?.() } as const
    return video.youtubeId
      ? openYouTubeFrame(place, { youtubeId: video.youtubeId, range }, youtubeBaseUrl, listener, options)
      : openMediaFrame(place, { url: video.videoUrl, title: video.title, range }, listener, options)
  })
  const onGone = useEffectEvent(() => props.onFrame(undefined))
  const currentTurn = useEffectEvent(() => turn)
  /** Applies the requested video and state to the frame. */
  const obey = useEffectEvent((known: Opened) => {
    if (!known.isLoaded) return
    if (!isPlaying) known.frame.pause()
    else if (known.turn === turn) known.frame.play()
    else {
      known.turn = turn
      if ('show' in known.frame && video.youtubeId) known.frame.show(video.youtubeId, range)
      else known.frame.replay()
    }
  })

  useEffect(() => {
    if (!host.current) return
    const frame = open(host.current, (event) => onEvent(event))
    opened.current = { frame, isLoaded: false, turn: currentTurn() }
    return () => {
      onGone()
      frame.destroy()
      opened.current = undefined
    }
  }, [frameName])
  useEffect(() => {
    if (opened.current) obey(opened.current)
  }, [isPlaying, turn])

  return <div ref={host} className="absolute inset-0 size-full" />
}
