export interface FittedColumn {
  id: string
  /** The narrowest that it is useful, in px. */
  minPx: number
  /** Where there is no room for all, columns of a high rank are left out first. That of rank 0 is never left out. */
  rank: number
}

/** Width of the checkbox, the buttons, the padding and the border of a row, in px. */
const FRAME_PX = 134
/** Space between two columns (`gap-2` of the row), in px. */
const GAP_PX = 8

/** The columns that are not hidden, as far as they fit into the width of the table (px), in their order. */
export function fitColumns<C extends FittedColumn>(
  columns: readonly C[],
  widthPx: number,
  hidden: ReadonlySet<string>,
): C[] {
  const chosen = columns.filter(({ id }) => !hidden.has(id))
  const fitting = new Set<C>()
  let leftPx = widthPx - FRAME_PX
  for (const column of chosen.toSorted((a, b) => a.rank - b.rank)) {
    leftPx -= column.minPx + GAP_PX
    if (leftPx < 0 && column.rank > 0) break
    fitting.add(column)
  }
  return chosen.filter((column) => fitting.has(column))
}
