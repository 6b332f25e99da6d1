import type { Segment } from './grid.ts'

/** Walks through the segments of a grid with a time that only increases. */
export class GridCursor {
  readonly #segments: readonly Segment[]
  #index = 0

  /** `segments`: without gaps, in order, to beyond the last time that is asked for. */
  constructor(segments: readonly Segment[]) {
    this.#segments = segments
  }

  /** The segment that contains `nowMs` (epoch ms), which is not before the time of the last call. */
  segmentAt(nowMs: number): Segment {
    while ((this.#segments[this.#index]?.endMs ?? Number.POSITIVE_INFINITY) <= nowMs) this.#index += 1
    return this.#segments[this.#index] as Segment
  }

  /** The next instant after the current segment's start at which something starts to the millisecond (epoch ms); Infinity if none. */
  nextHardStart(): number {
    for (let index = this.#index + 1; index < this.#segments.length; index += 1) {
      const segment = this.#segments[index] as Segment
      if (segment.isHardStart) return segment.startMs
    }
    return Number.POSITIVE_INFINITY
  }
}
