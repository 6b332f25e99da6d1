/** A row of the guide as the arrow keys see it: the button before it, and its blocks in order. */
export type GridRow = { id: string; blocks: readonly { id: string; startsAtMs: number; endsAtMs: number }[] }

/**
 * Where the focus is: a row and one of its blocks, or the button before them (no `blockId`). `atMs` is the instant
 * one looks at, which stays while one moves across channels.
 */
export type GridPlace = { rowId: string; blockId: string | null; atMs: number }

/** Where an arrow key leads; undefined at the edge of the grid. */
export function placeAfterKey(
  rows: readonly GridRow[],
  place: GridPlace,
  key: string,
): GridPlace | undefined {
  const rowIndex = rows.findIndex(({ id }) => id === place.rowId)
  const row = rows[rowIndex]
  if (!row) return undefined
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const next = rows[rowIndex + (key === 'ArrowUp' ? -1 : 1)]
    return next && { ...place, rowId: next.id, blockId: place.blockId && blockAt(next, place.atMs) }
  }
  const index = row.blocks.findIndex(({ id }) => id === place.blockId) + (key === 'ArrowLeft' ? -1 : 1)
  if (index < -1) return undefined
  const block = row.blocks[index]
  if (index === -1) return place.blockId === null ? undefined : { ...place, blockId: null }
  return block && { rowId: row.id, blockId: block.id, atMs: block.startsAtMs }
}

/** The place itself if it is still there, or else what is nearest to it now; undefined in an empty grid. */
export function nearestPlace(rows: readonly GridRow[], place: GridPlace): GridPlace | undefined {
  const row = rows.find(({ id }) => id === place.rowId) ?? rows[0]
  if (!row) return undefined
  if (place.blockId === null) return { ...place, rowId: row.id }
  const isThere = row.blocks.some(({ id }) => id === place.blockId)
  return { ...place, rowId: row.id, blockId: isThere ? place.blockId : blockAt(row, place.atMs) }
}

/** The block at an instant, or the one nearest to it; null where there is none. */
export function blockAt({ blocks }: GridRow, atMs: number): string | null {
  const block = blocks.find(({ endsAtMs }) => endsAtMs > atMs) ?? blocks.at(-1)
  return block?.id ?? null
}
