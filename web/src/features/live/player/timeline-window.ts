import { programmeAt, upNext } from '@looptide/playhead/programme'
import type { LiveProgramme } from './live-state.ts'

/** Below this much known future the window is topped up: it normally reaches two hours ahead. */
const LOW_MS = 90 * 60_000

/** The programmes that a session holds; instants are server epoch ms. */
export class TimelineWindow {
  private programmes: readonly LiveProgramme[] | undefined

  /** False until programmes have been received, be it an empty list. */
  get isKnown(): boolean {
    return this.programmes !== undefined
  }

  replace(programmes: readonly LiveProgramme[] | undefined): void {
    this.programmes = programmes
  }

  at(nowMs: number): LiveProgramme | undefined {
    return programmeAt(this.programmes ?? [], nowMs)
  }

  next(nowMs: number): LiveProgramme | undefined {
    return this.following(nowMs, 1)[0]
  }

  following(nowMs: number, count: number): LiveProgramme[] {
    return upNext(this.programmes ?? [], nowMs, count)
  }

  /** How many programmes are known beyond what is on, and until when everything is known. */
  extent(nowMs: number): { ahead: number; endsAtMs: number } {
    const programmes = this.programmes ?? []
    const ahead = programmes.filter(({ startsAtMs }) => startsAtMs > nowMs).length
    return { ahead, endsAtMs: programmes.at(-1)?.endsAtMs ?? nowMs }
  }

  isLow(nowMs: number): boolean {
    const { ahead, endsAtMs } = this.extent(nowMs)
    return ahead === 0 || endsAtMs - nowMs < LOW_MS
  }
}
