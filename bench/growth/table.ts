export type Cell = string | number | null

/** A Markdown table: numbers with thousands separators, right-aligned; an en dash for unmeasured values. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [
    head,
    head.map((_, column) => (column === 0 ? '---' : '---:')),
    ...rows.map((row) => row.map(shown)),
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function shown(cell: Cell): string {
  if (cell === null || (typeof cell === 'number' && !Number.isFinite(cell))) return '–'
  return typeof cell === 'number' ? cell.toLocaleString('en', { maximumFractionDigits: 3 }) : cell
}

/** `a / b` as text: "12 ×"; null when either is missing. */
export function times(a: number | null, b: number | null): string | null {
  if (a === null || b === null || b === 0) return null
  const ratio = a / b
  return `${shown(Number(ratio.toPrecision(ratio >= 100 ? 3 : 2)))} ×`
}
