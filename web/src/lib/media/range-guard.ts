import type { PlayerRange } from './player-range.ts'

/** A player with controls of its own, which know nothing of trim points. */
interface GuardedPlayer {
  isPlaying: () => boolean
  positionS: () => number
  pause: () => void
  seek: (positionS: number) => void
}

/** At most this much is played past the end of the range (ms). */
const CHECK_MS = 50

/** Ends a player at the end of its range, as if its media ended there. */
export class RangeGuard {
  readonly #player: GuardedPlayer
  readonly #onEnd: () => void
  readonly #timer: ReturnType<typeof setInterval>
  #range: PlayerRange
  #atEnd = false

  constructor(player: GuardedPlayer, range: PlayerRange, onEnd: () => void) {
    this.#player = player
    this.#range = range
    this.#onEnd = onEnd
    this.#timer = setInterval(() => this.#check(), CHECK_MS)
  }

  /** Whether the player is paused because its range has ended. */
  get hasEnded(): boolean {
    return this.#atEnd
  }

  /** Call it when another video, or this one from its start, is loaded. */
  begin(range: PlayerRange = this.#range): void {
    this.#range = range
    this.#atEnd = false
  }

  /** Call it when the player begins to play: a press of its own play button at the end plays the range again. */
  onPlay(): void {
    if (this.#atEnd && this.#isPastEnd) this.#player.seek(this.#range.startAtMs / 1000)
    this.#atEnd = false
  }

  destroy(): void {
    clearInterval(this.#timer)
  }

  get #isPastEnd(): boolean {
    const { endAtMs } = this.#range
    return endAtMs !== null && this.#player.positionS() * 1000 >= endAtMs
  }

  #check(): void {
    if (this.#atEnd || !this.#player.isPlaying() || !this.#isPastEnd) return
    this.#atEnd = true
    this.#player.pause()
    this.#onEnd()
  }
}
