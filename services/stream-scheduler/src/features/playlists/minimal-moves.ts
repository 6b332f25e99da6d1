import { longestIncreasingSubsequence } from '@looptide/playhead/longest-increasing-subsequence'

/** Free places between two neighbours in a new or renumbered playlist. */
export const GAP = 1024

interface Place {
  id: string
  position: number
}

/**
 * New places for the fewest items that bring a list into the order wanted: what is in order already (the longest
 * rising run, not necessarily adjacent) stays, the others go between. Dragging one item of thousands is one row. When
 * there is no room between two, all are numbered anew.
 *
 * @param wanted all items in the order wanted, each with the place it has now
 */
export function minimalMoves(wanted: readonly Place[]): Place[] {
  const stays = longestIncreasingSubsequence(wanted.map((item) => item.position))
  const moves: Place[] = []
  let index = 0
  while (index < wanted.length) {
    if (stays.has(index)) {
      index += 1
      continue
    }
    const first = index
    while (index < wanted.length && !stays.has(index)) index += 1
    const below = wanted[first - 1]?.position ?? (wanted[index]?.position ?? 0) - GAP * (index - first + 1)
    const above = wanted[index]?.position ?? below + GAP * (index - first + 1)
    const step = (above - below) / (index - first + 1)
    if (step < 1) return wanted.map(({ id }, place) => ({ id, position: place * GAP }))
    for (let place = first; place < index; place += 1) {
      const item = wanted[place]
      if (item !== undefined) {
        moves.push({ id: item.id, position: Math.floor(below + step * (place - first + 1)) })
      }
    }
  }
  return moves
}
