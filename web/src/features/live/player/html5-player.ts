import { HTML5_CAPABILITIES, type PlayerCapabilities } from '@looptide/playhead/player-capabilities'
import { mediaFault } from '../../../lib/media/html5-media.ts'
import type { MediaSource, Player, PlayerEvent, PlayerListener, PlayerReading } from './player.ts'
import { StartGate } from './start-gate.ts'
import { VideoDeck } from './video-deck.ts'

/** Delay until a pause counts as a pause by the system, in ms. */
const PAUSE_CONFIRM_MS = 400
/** A prepared video is not seeked for a smaller difference, in ms. */
const START_TOLERANCE_MS = 60
/** Interval at which a starting video is checked, in ms. */
const GATE_MS = 20

/** A video that is loaded but not yet shown. */
interface Start {
  gate: StartGate
  /** The media time (ms) before playback was requested. */
  fromMs: number
  /** The target position at a local instant (performance.now()); undefined if there is no target. */
  targetAt: ((localMs: number) => number) | undefined
  timer: ReturnType<typeof setInterval>
}

/**
 * Plays with two `<video>` decks: one plays while the other preloads the next video, and a cut swaps them without a gap
 * or flash: the last picture stays until the new one is in sync. Positions come from `requestVideoFrameCallback`, if
 * supported, and from `currentTime`.
 */
export class Html5Player implements Player {
  readonly kind = 'html5'
  readonly #listener: PlayerListener
  #decks: [VideoDeck, VideoDeck]
  #sound = { volume: 0, muted: true }
  #stopped = true
  #start: Start | undefined
  #jumpMs = HTML5_CAPABILITIES.nudgeJumpMs ?? 0

  constructor(host: HTMLElement, listener: PlayerListener) {
    this.#listener = listener
    this.#decks = [new VideoDeck(host), new VideoDeck(host)]
    for (const deck of this.#decks) this.#wire(deck)
  }

  capabilities(): PlayerCapabilities {
    return HTML5_CAPABILITIES
  }

  load(source: MediaSource, positionMs: number, atLocalMs?: number): void {
    if (source.kind !== 'html5') return
    this.#stopped = false
    const [shown, spare] = this.#decks
    if (spare.url === source.url || shown.url !== undefined) this.#decks = [spare, shown]
    const [next, previous] = this.#decks
    previous.video.pause()
    next.fill(source, (kind) => this.#emit(next, { type: 'error', kind, code: 0 }))
    if (!(Math.abs(next.positionMs - positionMs) <= START_TOLERANCE_MS)) next.seek(positionMs)
    next.video.playbackRate = 1
    this.#beginHiddenStart(next, positionMs, atLocalMs)
    this.setSound(this.#sound)
    this.play()
    this.#emitDuration(next)
  }

  prepare(source: MediaSource, positionMs: number): void {
    const [, spare] = this.#decks
    if (source.kind !== 'html5') return
    spare.fill(source, () => spare.empty())
    if (spare.positionMs !== positionMs) spare.seek(positionMs)
  }

  play(): void {
    const [deck] = this.#decks
    const { url } = deck
    deck.video.play().catch((reason: unknown) => {
      const refused = reason instanceof DOMException && reason.name === 'NotAllowedError'
      if (refused && deck.url === url) this.#emit(deck, { type: 'blocked', audible: !deck.video.muted })
    })
  }

  stop(): void {
    this.rest()
    this.#decks[1].empty()
    this.#decks[1].show(false)
  }

  rest(): void {
    this.#stopped = true
    this.#endStart()
    const [shown] = this.#decks
    shown.empty()
    shown.show(false)
  }

  seek(positionMs: number): void {
    this.#decks[0].seek(positionMs)
  }

  setRate(rate: number): void {
    this.#decks[0].setRate(rate)
  }

  /**
   * Mutes a starting video by its volume, so that a browser that looks at `muted` refuses it at once. Chromium lets it start, and
   * without a user gesture pauses it as soon as it becomes audible.
   */
  setSound(sound: { volume: number; muted: boolean }): void {
    this.#sound = sound
    const [shown, spare] = this.#decks
    const { paused: wasPaused } = shown.video
    shown.video.volume = this.#start ? 0 : sound.volume
    shown.video.muted = sound.muted
    spare.video.muted = true
    if (shown.video.paused && !wasPaused) this.#emit(shown, { type: 'blocked', audible: true })
  }

  read(): PlayerReading | null {
    return this.#stopped || this.#start ? null : this.#decks[0].read()
  }

  destroy(): void {
    this.stop()
    for (const { video } of this.#decks) video.remove()
  }

  #isShown(deck: VideoDeck): boolean {
    return deck === this.#decks[0] && !this.#stopped
  }

  #emit(deck: VideoDeck, event: PlayerEvent): void {
    if (this.#isShown(deck)) this.#listener(event)
  }

  #emitDuration(deck: VideoDeck): void {
    const { duration } = deck.video
    if (Number.isFinite(duration) && !deck.isLive)
      this.#emit(deck, { type: 'duration', durationMs: duration * 1000 })
  }

  #wire(deck: VideoDeck): void {
    const { video } = deck
    video.addEventListener('playing', () => {
      // A starting video is reported when it becomes visible.
      if (!this.#start) this.#emit(deck, { type: 'playing' })
    })
    video.addEventListener('waiting', () => this.#emit(deck, { type: 'waiting' }))
    video.addEventListener('pause', () => this.#whenStillPaused(deck))
    video.addEventListener('ended', () => this.#emit(deck, { type: 'ended' }))
    video.addEventListener('durationchange', () => this.#emitDuration(deck))
    video.addEventListener('error', () => void this.#reportFault(deck))
  }

  /** Starts `deck` hidden, until it is in sync. */
  #beginHiddenStart(deck: VideoDeck, positionMs: number, atLocalMs: number | undefined): void {
    this.#endStart()
    // In a hidden page timers fire once a second at most: a changed rate could not be reset in time.
    const hasTarget = atLocalMs !== undefined && !document.hidden
    this.#start = {
      gate: new StartGate(this.#jumpMs),
      fromMs: deck.mediaTimeMs,
      targetAt: hasTarget ? (localMs) => positionMs + (localMs - atLocalMs) : undefined,
      timer: setInterval(() => this.#checkStart(deck), GATE_MS),
    }
  }

  #checkStart(deck: VideoDeck): void {
    const start = this.#start
    if (!start || deck.video.paused || deck.video.seeking) return
    const nowMs = performance.now()
    const { positionMs, mediaTimeMs } = deck
    // The position of a live stream is not known before its playlist is.
    const offMs = start.targetAt && !Number.isNaN(positionMs) ? positionMs - start.targetAt(nowMs) : null
    const step = start.gate.step({ nowMs, offMs, movedMs: mediaTimeMs - start.fromMs })
    if (step.kind === 'rate') deck.video.playbackRate = step.rate
    if (step.kind === 'open') this.#reveal(deck, start)
  }

  /** The cut, once the new picture is available and in sync. */
  #reveal(deck: VideoDeck, { gate, targetAt }: Start): void {
    this.#endStart()
    this.#jumpMs = gate.jumpMs
    deck.video.playbackRate = 1
    deck.forget()
    const [shown, spare] = this.#decks
    shown.show(true)
    spare.show(false)
    this.setSound(this.#sound)
    this.#emit(deck, { type: 'playing', startErrorMs: targetAt ? gate.startErrorMs : undefined })
  }

  #endStart(): void {
    clearInterval(this.#start?.timer)
    this.#start = undefined
  }

  /** Reports a lasting pause of the visible video. The app never pauses it: headphones were unplugged, or a media key pressed. */
  #whenStillPaused(deck: VideoDeck): void {
    const { video, url } = deck
    setTimeout(() => {
      const isPaused = url !== undefined && deck.url === url && video.paused && !video.ended && !video.error
      if (isPaused) this.#emit(deck, { type: 'blocked', audible: false })
    }, PAUSE_CONFIRM_MS)
  }

  async #reportFault(deck: VideoDeck): Promise<void> {
    const { url } = deck
    const code = deck.video.error?.code
    if (!url || code === undefined) return
    const kind = await mediaFault(url, code)
    if (deck.url === url) this.#emit(deck, { type: 'error', kind, code })
  }
}
