import { programmeAt, upNext } from '@looptide/playhead/programme'
import type { LiveCard, LiveProgramme, LiveVideoProgramme } from './live-state.ts'

/** The window is topped up when it reaches less far ahead than this; normally it is two hours. */
const LOW_MS = 90 * 60_000

/** Programmes that are searched for one video. A schedule has few cards between two videos. */
const MOST_PER_VIDEO = 8

/** The loaded programmes of a session; times are server epoch ms. */
export class TimelineWindow {
  #programmes: readonly LiveProgramme[] | undefined

  /** Whether programmes have been received, even an empty list. */
  get isKnown(): boolean {
    return this.#programmes !== undefined
  }

  replace(programmes: readonly LiveProgramme[] | undefined): void {
    this.#programmes = programmes
  }

  at(nowMs: number): LiveProgramme | undefined {
    return programmeAt(this.#programmes ?? [], nowMs)
  }

  next(nowMs: number): LiveProgramme | undefined {
    return this.following(nowMs, 1)[0]
  }

  following(nowMs: number, count: number): LiveProgramme[] {
    return upNext(this.#programmes ?? [], nowMs, count)
  }

  /** The card that is on. */
  cardAt(nowMs: number): LiveCard | undefined {
    const programme = this.at(nowMs)
    return programme?.video === null ? programme : undefined
  }

  /** The next `count` videos, or fewer if they are far ahead. */
  nextVideos(nowMs: number, count: number): LiveVideoProgramme[] {
    const following = this.following(nowMs, count * MOST_PER_VIDEO)
    return following.filter((programme) => programme.video !== null).slice(0, count)
  }

  /** How many programmes are known after the current one, and until when. */
  extent(nowMs: number): { ahead: number; endsAtMs: number } {
    const programmes = this.#programmes ?? []
    const ahead = programmes.filter(({ startsAtMs }) => startsAtMs > nowMs).length
    return { ahead, endsAtMs: programmes.at(-1)?.endsAtMs ?? nowMs }
  }

  isLow(nowMs: number): boolean {
    const { ahead, endsAtMs } = this.extent(nowMs)
    return ahead === 0 || endsAtMs - nowMs < LOW_MS
  }
}
