import { gridHours } from './guide-time.ts'

interface Span {
  id: string
  startsAtMs: number
  endsAtMs: number
}
/** Where a block is drawn in its row, in hours of the grid. */
export interface Cell<Block extends Span> {
  block: Block
  left: number
  width: number
}

/** Widths in hours of the grid, which depend on the width of an hour. */
export interface CellWidths {
  /** Minimum width of the current block, so that its texts stay readable. */
  onAir: number
  /** Other blocks are not narrowed below this to make room for it. */
  narrowest: number
}

/** Hours of 13 rem and more. */
export const IN_HOURS: CellWidths = { onAir: 0.95, narrowest: 0.5 }
/** Half hours of 15 rem and more. */
export const IN_HALF_HOURS: CellWidths = { onAir: 0.48, narrowest: 0.25 }

/**
 * Draws each block at its time, except that the current one has a minimum width. If it is the first of the row, as on a
 * channel that has just started, it begins earlier; else, as at the end of a block in a new hour, the following blocks
 * are narrowed and moved.
 */
export function cellLayout<Block extends Span>(
  blocks: readonly Block[],
  { fromMs, onAirId, widths }: { fromMs: number; onAirId: string | undefined; widths: CellWidths },
): Cell<Block>[] {
  let end = 0
  return blocks.map((block, index) => {
    const startsAt = gridHours(fromMs, block.startsAtMs)
    const endsAt = gridHours(fromMs, block.endsAtMs)
    const isOn = block.id === onAirId
    const canBeginEarlier = isOn && index === 0
    const left = canBeginEarlier
      ? Math.min(startsAt, Math.max(0, endsAt - widths.onAir))
      : Math.max(startsAt, end)
    end = Math.max(endsAt, left + (isOn ? widths.onAir : Math.min(endsAt - startsAt, widths.narrowest)))
    return { block, left, width: end - left }
  })
}
