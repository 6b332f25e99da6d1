import type { Frame, FrameListener, FrameOptions } from './frame.ts'
import { attachMedia, mediaFault } from './html5-media.ts'
import { loadSound } from './sound-settings.ts'

/** Plays one of our own media files (mp4, webm, m3u8) in a `<video>` with the browser's controls. */
export function openMediaFrame(
  host: HTMLElement,
  url: string,
  title: string,
  listener: FrameListener,
  { fullscreen = 'page', startS = 0 }: FrameOptions = {},
): Frame {
  const video = document.createElement('video')
  let isOver = false
  const tell: FrameListener = (event) => {
    if (!isOver) listener(event)
  }
  video.controls = true
  video.playsInline = true
  // In the page's fullscreen its badge is seen as well.
  if (fullscreen === 'page' && document.fullscreenEnabled) video.setAttribute('controlslist', 'nofullscreen')
  video.className = 'size-full bg-black object-contain'
  video.setAttribute('aria-label', title)
  video.volume = loadSound().volume
  video.currentTime = startS
  video.addEventListener('loadeddata', () => tell({ type: 'loaded' }), { once: true })
  video.addEventListener('playing', () => tell({ type: 'playing' }))
  video.addEventListener('pause', () => tell({ type: 'paused' }))
  video.addEventListener('ended', () => tell({ type: 'ended' }))
  video.addEventListener('error', () => {
    const code = video.error?.code
    if (code !== undefined) void mediaFault(url, code).then((fault) => tell({ type: 'failed', fault }))
  })
  host.append(video)
  const attachment = attachMedia(video, url, (fault) => tell({ type: 'failed', fault }))
  const play = () =>
    void video.play().catch((failure: unknown) => {
      if (failure instanceof DOMException && failure.name === 'NotAllowedError') tell({ type: 'blocked' })
    })
  play()
  return {
    play,
    pause: () => video.pause(),
    replay: () => {
      video.currentTime = 0
      play()
    },
    positionS: () => video.currentTime,
    destroy: () => {
      isOver = true
      video.pause()
      attachment.detach()
      video.remove()
    },
  }
}
