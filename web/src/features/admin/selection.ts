/** Selected ids in selection order, which is the order in which videos are added to a playlist. */
export type Selection = ReadonlySet<string>

/**
 * The selection after a click on a row. With Shift, `rangeFrom` is the previously clicked row: all rows between the two
 * get the state of the clicked one.
 */
export function afterClick(
  selection: Selection,
  rows: readonly string[],
  clicked: string,
  rangeFrom: string | null,
): Selection {
  const next = new Set(selection)
  const isAdding = !selection.has(clicked)
  for (const id of rowsBetween(rows, rangeFrom ?? clicked, clicked)) {
    if (isAdding) next.add(id)
    else next.delete(id)
  }
  return next
}

/** The rows from one to the other, inclusive, in that direction; only `to` if `from` no longer exists. */
function rowsBetween(rows: readonly string[], from: string, to: string): readonly string[] {
  const [first, last] = [rows.indexOf(from), rows.indexOf(to)]
  if (first < 0 || last < 0) return [to]
  return first <= last ? rows.slice(first, last + 1) : rows.slice(last, first + 1).reverse()
}

/** The selection without removed rows; the same object if none of them was selected. */
export function withoutRows(selection: Selection, ids: readonly string[]): Selection {
  if (!ids.some((id) => selection.has(id))) return selection
  const next = new Set(selection)
  for (const id of ids) next.delete(id)
  return next
}
