import { type Abilities, HTML5_ABILITIES } from '@looptide/playhead/drift-controller'
import { atNewRate, medianPosition, type Reading, withReading } from '@looptide/playhead/media-clock'
import { attachMedia, type MediaAttachment, type MediaFault, mediaFault } from './html5-media.ts'
import type { MediaSource, Player, PlayerEvent, PlayerListener, PlayerReading } from './player.ts'

const PAUSE_TRUST_MS = 400

/** One `<video>` and what it shows. */
type Deck = {
  video: HTMLVideoElement
  url: string | undefined
  attachment: MediaAttachment | undefined
  /** Where it was, by the frames it showed and by its own word. */
  readings: Reading[]
}

/** Frames of the last moment; older ones would hide a picture that has just stood still. */
const WINDOW_MS = 300
/** What remains unknown of a position: a frame waits for the screen's next refresh. */
const UNCERTAINTY_MS = 6
/** A start closer than this to where a prepared video stands is not worth a seek. */
const START_SLACK_MS = 60

/**
 * `<video>` on two decks: one plays, the other gets the next video ready, and a cut swaps them without a gap or a
 * flash. Positions come from requestVideoFrameCallback where the browser has it, and from currentTime.
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
    deck.readings = []
    deck.video.currentTime = positionMs / 1000
  }

  setRate(rate: number): void {
    const [deck] = this.decks
    deck.readings = atNewRate(deck.readings, performance.now(), rate)
    deck.video.playbackRate = rate
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
    const forget = () => {
      deck.readings = []
    }
    for (const type of ['seeking', 'waiting', 'pause', 'playing', 'emptied']) {
      video.addEventListener(type, forget)
    }
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
  return { video, url: undefined, attachment: undefined, readings: [] }
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
  deck.readings = []
}

function watchFrames(deck: Deck): void {
  const { video } = deck
  if (!('requestVideoFrameCallback' in video)) return
  const onFrame: VideoFrameRequestCallback = (_now, { mediaTime, expectedDisplayTime }) => {
    if (isRunning(video)) note(deck, mediaTime * 1000, expectedDisplayTime)
    video.requestVideoFrameCallback(onFrame)
  }
  video.requestVideoFrameCallback(onFrame)
}

function note(deck: Deck, positionMs: number, atMs: number): void {
  const reading = { positionMs, atMs, rate: deck.video.playbackRate }
  deck.readings = withReading(deck.readings, reading, WINDOW_MS)
}

function isRunning(video: HTMLVideoElement): boolean {
  return !video.paused && !video.seeking && !video.ended && video.readyState >= video.HAVE_FUTURE_DATA
}

function read(deck: Deck): PlayerReading | null {
  const { video } = deck
  if (!isRunning(video)) return null
  const atMs = performance.now()
  note(deck, video.currentTime * 1000, atMs)
  const positionMs = medianPosition(deck.readings, atMs)
  if (positionMs === undefined) return null
  return { positionMs, atMs, uncertaintyMs: UNCERTAINTY_MS, bufferedAheadMs: bufferedAhead(video) }
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
