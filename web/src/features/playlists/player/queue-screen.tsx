import type { Video } from '@looptide/contracts/http/videos'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Frame, FrameEvent, FrameListener, SharedFrame } from '../../../lib/media/frame.ts'
import { openMediaFrame } from '../../../lib/media/media-frame.ts'
import { playerRange } from '../../../lib/media/player-range.ts'
import { openYouTubeFrame } from '../../../lib/media/youtube-frame.ts'
import { storeResume, takeResume } from './resume.ts'

/** The frame in the page: whether it is ready, and what it shows. */
interface Opened {
  frame: Frame | SharedFrame
  isLoaded: boolean
  turn: string
}

/**
 * The current video; a new `turn` plays it from its start. One YouTube frame is used for the whole queue, because
 * its user activation then applies to the next video too. A clip of the station has its own frame.
 */
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
  const { entryKey, video, turn, isPlaying, youtubeBaseUrl } = props
  const host = useRef<HTMLDivElement>(null)
  const opened = useRef<Opened>(undefined)
  const range = playerRange(video)
  const frameName = video.youtubeId ? `youtube ${youtubeBaseUrl}` : `clip ${video.videoUrl}`

  const onEvent = useEffectEvent((event: FrameEvent) => {
    if (event.type === 'playing') props.onPlaying(true)
    else if (event.type === 'paused' || event.type === 'blocked') props.onPlaying(false)
    else if (event.type === 'ended') props.onEnded()
    else if (event.type === 'failed') props.onFailed()
    else if (opened.current) {
      opened.current.isLoaded = true
      obey(opened.current)
    }
  })
  const open = useEffectEvent((place: HTMLElement, listener: FrameListener) => {
    const options = { fullscreen: 'frame', resumeS: takeResume(entryKey)?.positionS } as const
    return video.youtubeId
      ? openYouTubeFrame(place, { youtubeId: video.youtubeId, range }, youtubeBaseUrl, listener, options)
      : openMediaFrame(place, { url: video.videoUrl, title: video.title, range }, listener, options)
  })
  const keepPosition = useEffectEvent(() => {
    if (!opened.current?.isLoaded) return
    storeResume({ key: entryKey, positionS: opened.current.frame.positionS(), isPlaying })
  })
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
      frame.destroy()
      opened.current = undefined
    }
  }, [frameName])
  useEffect(() => {
    const onLeave = () => keepPosition()
    window.addEventListener('pagehide', onLeave)
    return () => window.removeEventListener('pagehide', onLeave)
  }, [])
  useEffect(() => {
    if (opened.current) obey(opened.current)
  }, [isPlaying, turn])

  return <div ref={host} className="absolute inset-0 size-full" />
}
