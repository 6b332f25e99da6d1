/** An item that was removed from a playlist, and its position before that, from 0. */
export interface RemovedItem {
  itemId: string
  videoId: string
  position: number
}

/** A playlist with removed items at their former positions, or at its end if it has become shorter. */
export function withRemoved(
  itemIds: readonly string[],
  removed: readonly Pick<RemovedItem, 'itemId' | 'position'>[],
): string[] {
  const all = [...itemIds]
  // A position counts the items before it, so these are inserted first.
  for (const { itemId, position } of removed.toSorted((a, b) => a.position - b.position)) {
    all.splice(position, 0, itemId)
  }
  return all
}

/** The order of a playlist before items were moved away from `positions`, one for each of `moved`. */
export function orderBefore(
  itemIds: readonly string[],
  moved: readonly string[],
  positions: readonly number[],
): string[] {
  const unmoved = new Set(moved)
  const rest = itemIds.filter((id) => !unmoved.has(id))
  return withRemoved(
    rest,
    moved.map((itemId, index) => ({ itemId, position: positions[index] ?? 0 })),
  )
}
