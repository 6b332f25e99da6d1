import { HTML5_CAPABILITIES } from '@looptide/playhead/player-capabilities'
import type { MediaSource, Player, PlayerFactory, PlayerKind, PlayerListener } from './player.ts'

/** A fake player for tests that plays without drift, and records its calls. */
export class FakePlayer implements Player {
  readonly kind: PlayerKind
  readonly calls: string[] = []
  readonly emit: PlayerListener
  source: MediaSource | undefined
  prepared: MediaSource | undefined
  sound = { volume: 0, muted: true }
  rate = 1
  destroyed = false
  #playing = false
  #base = { positionMs: 0, atMs: 0 }

  constructor(kind: PlayerKind, emit: PlayerListener) {
    this.kind = kind
    this.emit = emit
  }

  /** Starts to play the loaded source, `lateMs` behind the requested position. */
  begin(lateMs = 0): void {
    this.#playing = true
    this.#base = { positionMs: this.#base.positionMs - lateMs, atMs: performance.now() }
    this.emit({ type: 'playing' })
  }

  get positionMs(): number {
    return this.#base.positionMs + (this.#playing ? (performance.now() - this.#base.atMs) * this.rate : 0)
  }

  capabilities() {
    return HTML5_CAPABILITIES
  }

  load(source: MediaSource, positionMs: number): void {
    this.calls.push(`load ${name(source)} ${Math.round(positionMs)}`)
    this.source = source
    this.#playing = false
    this.#base = { positionMs, atMs: performance.now() }
  }

  prepare(source: MediaSource, positionMs: number): void {
    this.calls.push(`prepare ${name(source)}${positionMs === 0 ? '' : ` ${positionMs}`}`)
    this.prepared = source
  }

  play(): void {
    this.calls.push('play')
  }

  stop(): void {
    this.calls.push('stop')
    this.#playing = false
    this.source = undefined
  }

  rest(): void {
    this.calls.push('rest')
    this.#playing = false
    this.source = undefined
  }

  seek(positionMs: number): void {
    this.calls.push(`seek ${Math.round(positionMs)}`)
    this.#base = { positionMs, atMs: performance.now() }
  }

  setRate(rate: number): void {
    this.#base = { positionMs: this.positionMs, atMs: performance.now() }
    this.rate = rate
  }

  setSound(sound: { volume: number; muted: boolean }): void {
    this.sound = sound
  }

  read() {
    if (!this.#playing) return null
    return {
      positionMs: this.positionMs,
      atMs: performance.now(),
      uncertaintyMs: 5,
      bufferedAheadMs: Number.POSITIVE_INFINITY,
    }
  }

  destroy(): void {
    this.destroyed = true
  }
}

/** Factories of fake players, and the players they have created. */
export function fakePlayers(): {
  factories: Record<PlayerKind, PlayerFactory>
  made: Partial<Record<PlayerKind, FakePlayer>>
} {
  const made: Partial<Record<PlayerKind, FakePlayer>> = {}
  const make =
    (kind: PlayerKind): PlayerFactory =>
    (_host, listener) => {
      const player = new FakePlayer(kind, listener)
      made[kind] = player
      return player
    }
  return { factories: { html5: make('html5'), youtube: make('youtube') }, made }
}

function name(source: MediaSource): string {
  return source.kind === 'html5' ? source.url : source.youtubeId
}
