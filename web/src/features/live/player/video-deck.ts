import { atNewRate, medianPosition, type Reading, withReading } from '@looptide/playhead/media-clock'
import { attachMedia, type MediaAttachment, type MediaFault } from '../../../lib/media/html5-media.ts'
import type { MediaSource, PlayerReading } from './player.ts'

/** Only readings of the last 300 ms are used; older ones would hide a stall. */
const WINDOW_MS = 300

type Html5Source = Extract<MediaSource, { kind: 'html5' }>

/**
 * One `<video>` element with its source. Its position is measured at each frame, by `currentTime` and by the frame's own
 * time. Where `currentTime` is the clock of the sound (Chromium, Safari) it is exact to 1 ms, and the same in all browsers,
 * while a frame waits up to 16 ms for the screen. Where it advances in steps, frames are better. The steadier one is used.
 */
export class VideoDeck {
  readonly video: HTMLVideoElement
  #source: Html5Source | undefined
  #attachment: MediaAttachment | undefined
  #clock: Reading[] = []
  #frames: Reading[] = []
  /** The position to seek to once the dates of a live stream are known. */
  #pendingSeekMs: number | undefined

  constructor(host: HTMLElement) {
    this.video = createVideo()
    host.append(this.video)
    for (const type of ['seeking', 'waiting', 'pause', 'playing', 'emptied']) {
      this.video.addEventListener(type, () => this.forget())
    }
    for (const type of ['loadedmetadata', 'progress', 'timeupdate']) {
      this.video.addEventListener(type, () => this.#seekWhenPossible())
    }
    this.#watchFrames()
  }

  /** The attached URL; undefined if empty. */
  get url(): string | undefined {
    return this.#source?.url
  }

  get isLive(): boolean {
    return this.#source?.isLive === true
  }

  /** The time in the media by `currentTime` (ms). */
  get mediaTimeMs(): number {
    return this.video.currentTime * 1000
  }

  /** The position (ms); for a live stream the date and time (epoch ms), NaN while its playlist is not known. */
  get positionMs(): number {
    return this.mediaTimeMs + this.#zeroMs
  }

  /** The position at media time 0. */
  get #zeroMs(): number {
    return this.isLive ? (this.#attachment?.liveStartMs() ?? Number.NaN) : 0
  }

  fill(source: Html5Source, onFault: (kind: MediaFault) => void): void {
    if (this.url === source.url && !this.video.error) return
    this.empty()
    this.#source = source
    this.#attachment = attachMedia(this.video, source, onFault)
  }

  empty(): void {
    this.video.pause()
    this.#attachment?.detach()
    this.#attachment = undefined
    this.#source = undefined
    this.#pendingSeekMs = undefined
    this.forget()
  }

  show(isShown: boolean): void {
    this.video.style.opacity = isShown ? '1' : '0'
  }

  seek(positionMs: number): void {
    this.forget()
    this.#pendingSeekMs = positionMs
    this.#seekWhenPossible()
  }

  #seekWhenPossible(): void {
    const pendingMs = this.#pendingSeekMs
    if (pendingMs === undefined || Number.isNaN(this.#zeroMs)) return
    this.#pendingSeekMs = undefined
    this.video.currentTime = Math.max(0, pendingMs - this.#zeroMs) / 1000
  }

  setRate(rate: number): void {
    const nowMs = performance.now()
    this.#clock = atNewRate(this.#clock, nowMs, rate)
    this.#frames = atNewRate(this.#frames, nowMs, rate)
    this.video.playbackRate = rate
  }

  /** Discards the readings after a seek, stall or new source. */
  forget(): void {
    this.#clock = []
    this.#frames = []
  }

  read(): PlayerReading | null {
    if (!this.#isRunning) return null
    const atMs = performance.now()
    if (Number.isNaN(this.#zeroMs)) return null
    this.#noteClock()
    const [byClock, byFrames] = [medianPosition(this.#clock, atMs), medianPosition(this.#frames, atMs)]
    if (byClock === undefined) return null
    const isFrameSteadier = byFrames !== undefined && byFrames.uncertaintyMs < byClock.uncertaintyMs
    return { ...(isFrameSteadier ? byFrames : byClock), atMs, bufferedAheadMs: bufferedAhead(this.video) }
  }

  get #isRunning(): boolean {
    const { paused, seeking, ended, readyState, HAVE_FUTURE_DATA } = this.video
    return !paused && !seeking && !ended && readyState >= HAVE_FUTURE_DATA
  }

  #watchFrames(): void {
    const { video } = this
    if (!('requestVideoFrameCallback' in video)) return
    const onFrame: VideoFrameRequestCallback = (_now, { mediaTime, expectedDisplayTime }) => {
      if (this.#isRunning && !Number.isNaN(this.#zeroMs)) {
        this.#noteClock()
        this.#frames = this.#with(this.#frames, mediaTime * 1000 + this.#zeroMs, expectedDisplayTime)
      }
      video.requestVideoFrameCallback(onFrame)
    }
    video.requestVideoFrameCallback(onFrame)
  }

  #noteClock(): void {
    this.#clock = this.#with(this.#clock, this.positionMs, performance.now())
  }

  #with(readings: readonly Reading[], positionMs: number, atMs: number): Reading[] {
    return withReading(readings, { positionMs, atMs, rate: this.video.playbackRate }, WINDOW_MS)
  }
}

function createVideo(): HTMLVideoElement {
  const video = document.createElement('video')
  video.playsInline = true
  video.disablePictureInPicture = true
  video.preload = 'auto'
  video.muted = true
  video.preservesPitch = true
  video.tabIndex = -1
  video.setAttribute('aria-hidden', 'true')
  Object.assign(video.style, {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    objectFit: 'contain',
    background: '#000',
    opacity: '0',
  })
  return video
}

function bufferedAhead(video: HTMLVideoElement): number {
  const { buffered, currentTime } = video
  for (let index = 0; index < buffered.length; index += 1) {
    const inside = buffered.start(index) <= currentTime + 0.1 && currentTime <= buffered.end(index)
    if (!inside) continue
    const end = buffered.end(index)
    // Buffered to the end: it cannot stall.
    return end >= video.duration - 0.25 ? Number.POSITIVE_INFINITY : (end - currentTime) * 1000
  }
  return 0
}
