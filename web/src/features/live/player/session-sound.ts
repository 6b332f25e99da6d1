import type { LiveState } from './live-state.ts'
import type { Sound } from './player-slots.ts'

type SoundState = Pick<LiveState, 'volume' | 'muted' | 'soundBlocked'>

/** The sound of a session, decided by the sign-in (allowed or not), the viewer (volume, mute) and the browser (autoplay). */
export class SessionSound {
  readonly #read: () => SoundState
  readonly #write: (change: SoundState) => void
  #allowed = false
  #mutedByUser = false

  constructor(read: () => SoundState, write: (change: SoundState) => void) {
    this.#read = read
    this.#write = write
  }

  /** The sound for the players. */
  get now(): Sound {
    const { volume, muted, soundBlocked } = this.#read()
    return { volume, muted: muted || soundBlocked }
  }

  /** Allows sound; not for signed-out viewers. */
  allow(allowed: boolean): void {
    this.#allowed = allowed
    this.#change({})
  }

  /** From 0 to 1. 0 mutes, above 0 unmutes (docs/product/viewer.md §4). */
  setVolume(volume: number): void {
    const bounded = Math.min(Math.max(volume, 0), 1)
    this.#mutedByUser = bounded === 0
    this.#change({ volume: bounded, soundBlocked: false })
  }

  setMuted(muted: boolean): void {
    this.#mutedByUser = muted
    this.#change({ soundBlocked: false })
  }

  /** Set while the browser plays only without sound, until a user gesture. */
  setBlocked(soundBlocked: boolean): void {
    this.#change({ soundBlocked })
  }

  #change(change: Partial<SoundState>): void {
    const { volume, soundBlocked } = this.#read()
    this.#write({ volume, soundBlocked, ...change, muted: !this.#allowed || this.#mutedByUser })
  }
}
