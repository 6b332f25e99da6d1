import { HOUR_MS, isOnAir } from './guide-time.ts'

/** Minimum width of the current block, in hours of the grid, so that its title stays readable. */
const ON_AIR_WIDTH = 0.95
/** Other blocks are not narrowed below this to make room for it, in hours of the grid. */
const NARROWEST = 0.5

interface Span {
  startsAtMs: number
  endsAtMs: number
}
/** Where a block is drawn in its row, in hours of the grid. */
export interface Cell<Block extends Span> {
  block: Block
  left: number
  width: number
}

interface Window {
  fromMs: number
  toMs: number
  nowMs: number
}

/**
 * Draws each block at its time, except that the current one has a minimum width. If it is the first of the row, as on a
 * channel that has just started, it begins earlier; else, as at the end of a block in a new hour, the following blocks
 * are narrowed and moved.
 */
export function cellLayout<Block extends Span>(
  blocks: readonly Block[],
  { fromMs, toMs, nowMs }: Window,
): Cell<Block>[] {
  const hoursOf = (epochMs: number) => (Math.min(Math.max(epochMs, fromMs), toMs) - fromMs) / HOUR_MS
  let end = 0
  return blocks.map((block, index) => {
    const startsAt = hoursOf(block.startsAtMs)
    const endsAt = hoursOf(block.endsAtMs)
    const isOn = isOnAir(block, nowMs)
    const canBeginEarlier = isOn && index === 0
    const left = canBeginEarlier
      ? Math.min(startsAt, Math.max(0, endsAt - ON_AIR_WIDTH))
      : Math.max(startsAt, end)
    end = Math.max(endsAt, left + (isOn ? ON_AIR_WIDTH : Math.min(endsAt - startsAt, NARROWEST)))
    return { block, left, width: end - left }
  })
}
