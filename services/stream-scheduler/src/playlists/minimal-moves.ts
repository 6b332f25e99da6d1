import { longestIncreasingSubsequence } from '@looptide/playhead/longest-increasing-subsequence'

/** Distance between the positions of two neighbours in a new or renumbered playlist. */
export const GAP = 1024

interface Positioned {
  id: string
  position: number
}

/**
 * New positions for the fewest items that bring a list into a new order. The items of the longest increasing subsequence
 * keep their positions, and the others get positions between them. Dragging one item of thousands changes one row. If
 * there is no free position between two items, all are renumbered. Not `fractional-indexing`, whose keys are texts that
 * grow with each move; positions are bigint columns.
 *
 * @param items all items in the new order, each with its current position
 */
export function minimalMoves(items: readonly Positioned[]): Positioned[] {
  const kept = longestIncreasingSubsequence(items.map((item) => item.position))
  const moves: Positioned[] = []
  let index = 0
  while (index < items.length) {
    if (kept.has(index)) {
      index += 1
      continue
    }
    const first = index
    while (index < items.length && !kept.has(index)) index += 1
    const below = items[first - 1]?.position ?? (items[index]?.position ?? 0) - GAP * (index - first + 1)
    const above = items[index]?.position ?? below + GAP * (index - first + 1)
    const step = (above - below) / (index - first + 1)
    if (step < 1) return items.map(({ id }, i) => ({ id, position: i * GAP }))
    for (let moved = first; moved < index; moved += 1) {
      const item = items[moved]
      if (item !== undefined) {
        moves.push({ id: item.id, position: Math.floor(below + step * (moved - first + 1)) })
      }
    }
  }
  return moves
}
