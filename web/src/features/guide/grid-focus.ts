/** A row of the guide for keyboard navigation: a button, followed by its blocks in order. */
export interface GridRow {
  id: string
  blocks: readonly { id: string; startsAtMs: number; endsAtMs: number }[]
}

/**
 * The position of the focus: a row and one of its blocks, or the button before them (`blockId` is null). `atMs` is the
 * instant that is kept when moving between channels.
 */
export interface GridPosition {
  rowId: string
  blockId: string | null
  atMs: number
}

/** What is on at an instant on a channel, whichever block that is. */
export const positionAt = (rowId: string, atMs: number): GridPosition => ({ rowId, blockId: '', atMs })

/** The position after an arrow key; undefined at the edge of the grid. */
export function positionAfterKey(
  rows: readonly GridRow[],
  position: GridPosition,
  key: string,
): GridPosition | undefined {
  const rowIndex = rows.findIndex(({ id }) => id === position.rowId)
  const row = rows[rowIndex]
  if (!row) return undefined
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const next = rows[rowIndex + (key === 'ArrowUp' ? -1 : 1)]
    return next && { ...position, rowId: next.id, blockId: position.blockId && blockAt(next, position.atMs) }
  }
  const index = row.blocks.findIndex(({ id }) => id === position.blockId) + (key === 'ArrowLeft' ? -1 : 1)
  if (index < -1) return undefined
  const block = row.blocks[index]
  if (index === -1) return position.blockId === null ? undefined : { ...position, blockId: null }
  return block && { rowId: row.id, blockId: block.id, atMs: block.startsAtMs }
}

/** The position, if it still exists, else the nearest one; undefined in an empty grid. */
export function nearestPosition(rows: readonly GridRow[], position: GridPosition): GridPosition | undefined {
  const row = rows.find(({ id }) => id === position.rowId) ?? rows[0]
  if (!row) return undefined
  if (position.blockId === null) return { ...position, rowId: row.id }
  const isThere = row.blocks.some(({ id }) => id === position.blockId)
  return { ...position, rowId: row.id, blockId: isThere ? position.blockId : blockAt(row, position.atMs) }
}

/** The block at an instant, or the last one; null without blocks. */
export function blockAt({ blocks }: GridRow, atMs: number): string | null {
  const block = blocks.find(({ endsAtMs }) => endsAtMs > atMs) ?? blocks.at(-1)
  return block?.id ?? null
}
