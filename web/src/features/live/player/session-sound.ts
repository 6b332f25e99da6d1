import type { LiveState } from './live-state.ts'
import type { Sound } from './seats.ts'

type SoundState = Pick<LiveState, 'volume' | 'muted' | 'soundBlocked'>

/** Who may hear what: the station (signed in or not), the viewer (volume, mute) and the browser each have a say. */
export class SessionSound {
  private readonly read: () => SoundState
  private readonly write: (change: SoundState) => void
  private allowed = false
  private wantsMuted = false

  constructor(read: () => SoundState, write: (change: SoundState) => void) {
    this.read = read
    this.write = write
  }

  /** What the players are to do. */
  get now(): Sound {
    const { volume, muted, soundBlocked } = this.read()
    return { volume, muted: muted || soundBlocked }
  }

  /** Signed-out viewers hear nothing. */
  allow(allowed: boolean): void {
    this.allowed = allowed
    this.change({})
  }

  /** From 0 to 1. 0 mutes, above 0 unmutes (docs/product/viewer.md §4). */
  setVolume(volume: number): void {
    const bounded = Math.min(Math.max(volume, 0), 1)
    this.wantsMuted = bounded === 0
    this.change({ volume: bounded, soundBlocked: false })
  }

  setMuted(muted: boolean): void {
    this.wantsMuted = muted
    this.change({ soundBlocked: false })
  }

  /** The browser plays only without sound, until a press. */
  setBlocked(soundBlocked: boolean): void {
    this.change({ soundBlocked })
  }

  private change(change: Partial<SoundState>): void {
    const { volume, soundBlocked } = this.read()
    this.write({ volume, soundBlocked, ...change, muted: !this.allowed || this.wantsMuted })
  }
}
