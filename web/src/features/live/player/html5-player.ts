import { type Abilities, HTML5_ABILITIES } from '@looptide/playhead/drift-controller'
import { attachMedia, type MediaAttachment, type MediaFault, mediaFault } from './html5-media.ts'
import type { MediaSource, Player, PlayerEvent, PlayerListener, PlayerReading } from './player.ts'

const PAUSE_TRUST_MS = 400

/** One `<video>` and what it shows. */
type Deck = {
  video: HTMLVideoElement
  url: string | undefined
  attachment: MediaAttachment | undefined
  /** The last frame shown: its media time and when it reached the screen (performance.now()). */
  frame: { mediaMs: number; atMs: number } | undefined
}

/** Frames older than this say nothing: the tab is hidden or the picture stands. */
const FRAME_TRUST_MS = 500
/** A start closer than this to where a prepared video stands is not worth a seek. */
const START_SLACK_MS = 60

/**
 * `<video>` on two decks: one plays, the other gets the next video ready, and a cut swaps them without a gap or a
 * flash. Exact positions come from requestVideoFrameCallback where the browser has it, else from currentTime.
 */
export class Html5Player implements Player {
  readonly kind = 'html5'
  private readonly listener: PlayerListener
  private decks: [Deck, Deck]
  private sound = { volume: 0, muted: true }
  private stopped = true

  constructor(host: HTMLElement, listener: PlayerListener) {
    this.listener = listener
    this.decks = [createDeck(host), createDeck(host)]
    for (const deck of this.decks) this.wire(deck)
  }

  abilities(): Abilities {
    return HTML5_ABILITIES
  }

  load(source: MediaSource, positionMs: number): void {
    if (source.kind !== 'html5') return
    this.stopped = false
    const [shown, spare] = this.decks
    if (spare.url === source.url || shown.url !== undefined) this.decks = [spare, shown]
    const [next, previous] = this.decks
    previous.video.pause()
    fill(next, source.url, (kind) => this.tell(next, { type: 'error', kind, code: 0 }))
    if (Math.abs(next.video.currentTime * 1000 - positionMs) > START_SLACK_MS) {
      next.video.currentTime = positionMs / 1000
    }
    next.video.playbackRate = 1
    this.setSound(this.sound)
    this.play()
    this.tellDuration(next)
  }

  prepare(source: MediaSource): void {
    const [, spare] = this.decks
    if (source.kind === 'html5') fill(spare, source.url, () => empty(spare))
  }

  play(): void {
    const [deck] = this.decks
    const { url } = deck
    deck.video.play().catch((reason: unknown) => {
      const refused = reason instanceof DOMException && reason.name === 'NotAllowedError'
      if (refused && deck.url === url) this.tell(deck, { type: 'blocked', audible: !deck.video.muted })
    })
  }

  stop(): void {
    this.stopped = true
    for (const deck of this.decks) {
      empty(deck)
      deck.video.style.opacity = '0'
    }
  }

  seek(positionMs: number): void {
    const [deck] = this.decks
    deck.frame = undefined
    deck.video.currentTime = positionMs / 1000
  }

  setRate(rate: number): void {
    this.decks[0].video.playbackRate = rate
  }

  setSound(sound: { volume: number; muted: boolean }): void {
    this.sound = sound
    const [shown, spare] = this.decks
    shown.video.volume = sound.volume
    shown.video.muted = sound.muted
    spare.video.muted = true
  }

  read(): PlayerReading | null {
    return this.stopped ? null : read(this.decks[0])
  }

  destroy(): void {
    this.stop()
    for (const deck of this.decks) deck.video.remove()
  }

  private isShown(deck: Deck): boolean {
    return deck === this.decks[0] && !this.stopped
  }

  private tell(deck: Deck, event: PlayerEvent): void {
    if (this.isShown(deck)) this.listener(event)
  }

  private tellDuration(deck: Deck): void {
    const { duration } = deck.video
    if (Number.isFinite(duration)) this.tell(deck, { type: 'duration', durationMs: duration * 1000 })
  }

  private wire(deck: Deck): void {
    const { video } = deck
    const forgetFrame = () => {
      deck.frame = undefined
    }
    video.addEventListener('seeking', forgetFrame)
    video.addEventListener('emptied', forgetFrame)
    video.addEventListener('playing', () => {
      if (this.isShown(deck)) this.reveal()
      this.tell(deck, { type: 'playing' })
    })
    video.addEventListener('waiting', () => this.tell(deck, { type: 'waiting' }))
    video.addEventListener('pause', () => this.whenStillPaused(deck))
    video.addEventListener('ended', () => this.tell(deck, { type: 'ended' }))
    video.addEventListener('durationchange', () => this.tellDuration(deck))
    video.addEventListener('error', () => void this.explain(deck))
    watchFrames(deck)
  }

  /** The cut: not before the new picture is there. */
  private reveal(): void {
    const [shown, spare] = this.decks
    shown.video.style.opacity = '1'
    spare.video.style.opacity = '0'
  }

  /** Nothing of ours pauses the shown video: headphones were pulled out, or a media key pressed. */
  private whenStillPaused(deck: Deck): void {
    const { video, url } = deck
    setTimeout(() => {
      const standing = url !== undefined && deck.url === url && video.paused && !video.ended && !video.error
      if (standing) this.tell(deck, { type: 'blocked', audible: false })
    }, PAUSE_TRUST_MS)
  }

  private async explain(deck: Deck): Promise<void> {
    const { url } = deck
    const code = deck.video.error?.code
    if (!url || code === undefined) return
    const kind = await mediaFault(url, code)
    if (deck.url === url) this.tell(deck, { type: 'error', kind, code })
  }
}

function createDeck(host: HTMLElement): Deck {
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
  host.append(video)
  return { video, url: undefined, attachment: undefined, frame: undefined }
}

function fill(deck: Deck, url: string, onFault: (kind: MediaFault) => void): void {
  if (deck.url === url && !deck.video.error) return
  empty(deck)
  deck.url = url
  deck.attachment = attachMedia(deck.video, url, onFault)
}

function empty(deck: Deck): void {
  deck.video.pause()
  deck.attachment?.detach()
  deck.attachment = undefined
  deck.url = undefined
  deck.frame = undefined
}

function watchFrames(deck: Deck): void {
  const { video } = deck
  if (!('requestVideoFrameCallback' in video)) return
  const onFrame: VideoFrameRequestCallback = (_now, metadata) => {
    if (!video.seeking) {
      deck.frame = { mediaMs: metadata.mediaTime * 1000, atMs: metadata.expectedDisplayTime }
    }
    video.requestVideoFrameCallback(onFrame)
  }
  video.requestVideoFrameCallback(onFrame)
}

function read(deck: Deck): PlayerReading | null {
  const { video, frame } = deck
  if (video.paused || video.seeking || video.ended || video.readyState < video.HAVE_FUTURE_DATA) return null
  const atMs = performance.now()
  const fresh = frame && Math.abs(atMs - frame.atMs) < FRAME_TRUST_MS
  const positionMs = fresh
    ? frame.mediaMs + (atMs - frame.atMs) * video.playbackRate
    : video.currentTime * 1000
  // A frame waits up to one refresh of the screen before it is shown.
  return { positionMs, atMs, uncertaintyMs: fresh ? 6 : 10, bufferedAheadMs: bufferedAhead(video) }
}

function bufferedAhead(video: HTMLVideoElement): number {
  const { buffered, currentTime } = video
  for (let index = 0; index < buffered.length; index += 1) {
    const inside = buffered.start(index) <= currentTime + 0.1 && currentTime <= buffered.end(index)
    if (!inside) continue
    const end = buffered.end(index)
    // Loaded to the very end: nothing can run dry.
    return end >= video.duration - 0.25 ? Number.POSITIVE_INFINITY : (end - currentTime) * 1000
  }
  return 0
}
