import { HTML5_CAPABILITIES, type PlayerCapabilities } from '@looptide/playhead/drift-controller'
import { mediaFault } from './html5-media.ts'
import type { MediaSource, Player, PlayerEvent, PlayerListener, PlayerReading } from './player.ts'
import { StartGate } from './start-gate.ts'
import { VideoDeck } from './video-deck.ts'

const PAUSE_TRUST_MS = 400
/** A start closer than this to where a prepared video stands is not worth a seek. */
const START_SLACK_MS = 60
/** How often a starting video is looked at. */
const GATE_MS = 20

/** A video that is loaded but not yet shown. */
type Start = {
  gate: StartGate
  /** Where it stood before it was told to play. */
  fromMs: number
  /** Where it should be at a local instant (performance.now()); undefined: wherever it is. */
  targetAt: ((localMs: number) => number) | undefined
  timer: ReturnType<typeof setInterval>
}

/**
 * `<video>` on two decks: one plays, the other gets the next video ready, and a cut swaps them without a gap or a
 * flash: the last picture stands until the new one is in step. Positions come from requestVideoFrameCallback where
 * the browser has it, and from currentTime.
 */
export class Html5Player implements Player {
  readonly kind = 'html5'
  private readonly listener: PlayerListener
  private decks: [VideoDeck, VideoDeck]
  private sound = { volume: 0, muted: true }
  private stopped = true
  private start: Start | undefined

  constructor(host: HTMLElement, listener: PlayerListener) {
    this.listener = listener
    this.decks = [new VideoDeck(host), new VideoDeck(host)]
    for (const deck of this.decks) this.wire(deck)
  }

  capabilities(): PlayerCapabilities {
    return HTML5_CAPABILITIES
  }

  load(source: MediaSource, positionMs: number, atLocalMs?: number): void {
    if (source.kind !== 'html5') return
    this.stopped = false
    const [shown, spare] = this.decks
    if (spare.url === source.url || shown.url !== undefined) this.decks = [spare, shown]
    const [next, previous] = this.decks
    previous.video.pause()
    next.fill(source.url, (kind) => this.tell(next, { type: 'error', kind, code: 0 }))
    if (Math.abs(next.positionMs - positionMs) > START_SLACK_MS) next.seek(positionMs)
    next.video.playbackRate = 1
    this.lowerCurtain(next, positionMs, atLocalMs)
    this.setSound(this.sound)
    this.play()
    this.tellDuration(next)
  }

  prepare(source: MediaSource): void {
    const [, spare] = this.decks
    if (source.kind === 'html5') spare.fill(source.url, () => spare.empty())
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
    this.endStart()
    for (const deck of this.decks) {
      deck.empty()
      deck.show(false)
    }
  }

  seek(positionMs: number): void {
    this.decks[0].seek(positionMs)
  }

  setRate(rate: number): void {
    this.decks[0].setRate(rate)
  }

  /** A starting video is silent by its volume: a browser that refuses sound goes by `muted` alone. */
  setSound(sound: { volume: number; muted: boolean }): void {
    this.sound = sound
    const [shown, spare] = this.decks
    shown.video.volume = this.start ? 0 : sound.volume
    shown.video.muted = sound.muted
    spare.video.muted = true
  }

  read(): PlayerReading | null {
    return this.stopped || this.start ? null : this.decks[0].read()
  }

  destroy(): void {
    this.stop()
    for (const { video } of this.decks) video.remove()
  }

  private isShown(deck: VideoDeck): boolean {
    return deck === this.decks[0] && !this.stopped
  }

  private tell(deck: VideoDeck, event: PlayerEvent): void {
    if (this.isShown(deck)) this.listener(event)
  }

  private tellDuration(deck: VideoDeck): void {
    const { duration } = deck.video
    if (Number.isFinite(duration)) this.tell(deck, { type: 'duration', durationMs: duration * 1000 })
  }

  private wire(deck: VideoDeck): void {
    const { video } = deck
    video.addEventListener('playing', () => {
      // A starting video is told of when it is seen.
      if (!this.start) this.tell(deck, { type: 'playing' })
    })
    video.addEventListener('waiting', () => this.tell(deck, { type: 'waiting' }))
    video.addEventListener('pause', () => this.whenStillPaused(deck))
    video.addEventListener('ended', () => this.tell(deck, { type: 'ended' }))
    video.addEventListener('durationchange', () => this.tellDuration(deck))
    video.addEventListener('error', () => void this.explain(deck))
  }

  /** The curtain is down for `deck` until it is in step. */
  private lowerCurtain(deck: VideoDeck, positionMs: number, atLocalMs: number | undefined): void {
    this.endStart()
    // A hidden page looks once a second at best: nobody could stop what is in a hurry.
    const isAimed = atLocalMs !== undefined && !document.hidden
    this.start = {
      gate: new StartGate(),
      fromMs: deck.positionMs,
      targetAt: isAimed ? (localMs) => positionMs + (localMs - atLocalMs) : undefined,
      timer: setInterval(() => this.lookAtStart(deck), GATE_MS),
    }
  }

  private lookAtStart(deck: VideoDeck): void {
    const { start } = this
    if (!start || deck.video.paused || deck.video.seeking) return
    const nowMs = performance.now()
    const { positionMs } = deck
    const offMs = start.targetAt ? positionMs - start.targetAt(nowMs) : 0
    const step = start.gate.step({ nowMs, offMs, movedMs: positionMs - start.fromMs })
    if (step.kind === 'rate') deck.video.playbackRate = step.rate
    if (step.kind === 'open') this.reveal(deck, start)
  }

  /** The cut: not before the new picture is there, and in step. */
  private reveal(deck: VideoDeck, { gate, targetAt }: Start): void {
    this.endStart()
    deck.video.playbackRate = 1
    deck.forget()
    const [shown, spare] = this.decks
    shown.show(true)
    spare.show(false)
    this.setSound(this.sound)
    this.tell(deck, { type: 'playing', startErrorMs: targetAt ? gate.startErrorMs : undefined })
  }

  private endStart(): void {
    clearInterval(this.start?.timer)
    this.start = undefined
  }

  /** Nothing of ours pauses the shown video: headphones were pulled out, or a media key pressed. */
  private whenStillPaused(deck: VideoDeck): void {
    const { video, url } = deck
    setTimeout(() => {
      const standing = url !== undefined && deck.url === url && video.paused && !video.ended && !video.error
      if (standing) this.tell(deck, { type: 'blocked', audible: false })
    }, PAUSE_TRUST_MS)
  }

  private async explain(deck: VideoDeck): Promise<void> {
    const { url } = deck
    const code = deck.video.error?.code
    if (!url || code === undefined) return
    const kind = await mediaFault(url, code)
    if (deck.url === url) this.tell(deck, { type: 'error', kind, code })
  }
}
