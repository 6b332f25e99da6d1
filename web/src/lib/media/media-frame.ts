import type { Frame, FrameListener, FrameOptions } from './frame.ts'
import { attachMedia, mediaFault } from './html5-media.ts'
import { endLivePicture } from './live-picture.ts'
import { firstPositionS, type PlayerRange } from './player-range.ts'
import { RangeGuard } from './range-guard.ts'
import { loadSound } from './sound-settings.ts'

/** One of our own media files (mp4, webm, m3u8), and the part of it that is played. */
interface Media {
  url: string
  title: string
  range: PlayerRange
}

/** Plays a media file in a `<video>` with the browser's controls. */
export function openMediaFrame(
  host: HTMLElement,
  { url, title, range }: Media,
  listener: FrameListener,
  { fullscreen = 'page', resumeS }: FrameOptions = {},
): Frame {
  endLivePicture()
  const video = document.createElement('video')
  let isOver = false
  const emit: FrameListener = (event) => {
    if (!isOver) listener(event)
  }
  video.controls = true
  video.playsInline = true
  // In the page's fullscreen its badge is seen as well.
  if (fullscreen === 'page' && document.fullscreenEnabled) video.setAttribute('controlslist', 'nofullscreen')
  video.className = 'size-full bg-black object-contain'
  video.setAttribute('aria-label', title)
  video.volume = loadSound().volume
  video.currentTime = firstPositionS(range, resumeS)
  const controls = controlsOf(video)
  const guard = new RangeGuard(controls, range, () => emit({ type: 'ended' }))
  video.addEventListener('play', () => guard.onPlay())
  video.addEventListener('loadeddata', () => emit({ type: 'loaded' }), { once: true })
  video.addEventListener('playing', () => emit({ type: 'playing' }))
  video.addEventListener('pause', () => {
    if (!guard.hasEnded) emit({ type: 'paused' })
  })
  video.addEventListener('ended', () => emit({ type: 'ended' }))
  video.addEventListener('error', () => {
    const code = video.error?.code
    if (code !== undefined) void mediaFault(url, code).then((fault) => emit({ type: 'failed', fault }))
  })
  host.append(video)
  const attachment = attachMedia(video, { url }, (fault) => emit({ type: 'failed', fault }))
  const play = () =>
    void video.play().catch((failure: unknown) => {
      if (failure instanceof DOMException && failure.name === 'NotAllowedError') emit({ type: 'blocked' })
    })
  play()
  return {
    ...controls,
    play,
    replay: () => {
      guard.begin()
      controls.seek(range.startAtMs / 1000)
      play()
    },
    destroy: () => {
      isOver = true
      guard.destroy()
      video.pause()
      attachment.detach()
      video.remove()
    },
  }
}

const controlsOf = (video: HTMLVideoElement) => ({
  pause: () => video.pause(),
  seek: (positionS: number) => {
    video.currentTime = positionS
  },
  positionS: () => video.currentTime,
  isPlaying: () => !video.paused,
})
