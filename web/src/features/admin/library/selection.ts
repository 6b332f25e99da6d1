/** Chosen ids, in the order they were chosen in: that is the order they go on the air in. */
export type Selection = ReadonlySet<string>

/**
 * The selection after a press on one row. `rangeFrom` is the row pressed before, when Shift was held: all rows between
 * the two become what the pressed one becomes.
 */
export function afterPress(
  selection: Selection,
  rows: readonly string[],
  pressed: string,
  rangeFrom: string | null,
): Selection {
  const next = new Set(selection)
  const isAdding = !selection.has(pressed)
  for (const id of rowsBetween(rows, rangeFrom ?? pressed, pressed)) {
    if (isAdding) next.add(id)
    else next.delete(id)
  }
  return next
}

/** The rows from one to the other, both included, in the direction of going; only the last when the first is gone. */
function rowsBetween(rows: readonly string[], from: string, to: string): readonly string[] {
  const [first, last] = [rows.indexOf(from), rows.indexOf(to)]
  if (first < 0 || last < 0) return [to]
  return first <= last ? rows.slice(first, last + 1) : rows.slice(last, first + 1).reverse()
}

/** The selection without rows that are gone; the same one when none of them was chosen. */
export function withoutRows(selection: Selection, ids: readonly string[]): Selection {
  if (!ids.some((id) => selection.has(id))) return selection
  const next = new Set(selection)
  for (const id of ids) next.delete(id)
  return next
}
