/** docs/product/viewer.md §4 and §9, "Hero carousel". Times in ms. */
export const ADVANCE_MS = 5_000
export const LOCK_MS = 600

/**
 * The current slide. `turn` is incremented with each change, to restart the timer. `chosenAtMs`: the last change by the
 * viewer.
 */
export interface CarouselState {
  index: number
  turn: number
  chosenAtMs: number
}

export const FIRST_SLIDE: CarouselState = { index: 0, turn: 0, chosenAtMs: Number.NEGATIVE_INFINITY }

export type CarouselChange =
  /** Time has passed. */
  | { type: 'advance' }
  | { type: 'step'; by: 1 | -1; atMs: number }
  | { type: 'choose'; index: number; atMs: number }

/** Wraps around at both ends. Changes by the viewer within 600 ms of the last one are ignored. */
export function nextSlide(state: CarouselState, count: number, change: CarouselChange): CarouselState {
  const wrap = (index: number) => (count > 0 ? (index + count) % count : 0)
  if (change.type === 'advance') {
    return { ...state, index: wrap(state.index + 1), turn: state.turn + 1 }
  }
  if (change.atMs - state.chosenAtMs < LOCK_MS) return state
  const index = change.type === 'step' ? state.index + change.by : change.index
  return { index: wrap(index), turn: state.turn + 1, chosenAtMs: change.atMs }
}
