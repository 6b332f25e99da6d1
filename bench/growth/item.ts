import type { BenchRow } from '../report.ts'

/** One measured point of a curve. */
export interface Point {
  series: string
  x: number
  y: number
}

/** A plot of curves; both axes are logarithmic. */
export interface Picture {
  /** File name without its extension. */
  name: string
  /** Description of the plot (alternative text). */
  title: string
  xLabel: string
  yLabel: string
  points: readonly Point[]
  goal?: { y: number; label: string }
}

/** One run of a benchmark, short enough to be repeated separately. */
export interface Step {
  name: string
  /** The benchmark's file below `bench/`, and its arguments except `--json FILE`. */
  command: readonly string[]
}

/** A section of docs/performance.md that is made from measurements. */
export interface Item {
  name: string
  steps: readonly Step[]
  /** Markdown: the tables. */
  tables: (rows: readonly BenchRow[]) => string
  pictures: (rows: readonly BenchRow[]) => readonly Picture[]
}

/** Steps of one benchmark that differ in one size, each named after it. */
export const stepsBySize = (
  file: string,
  sizes: readonly number[],
  rest: readonly string[] = [],
): readonly Step[] => sizes.map((size) => ({ name: String(size), command: [file, String(size), ...rest] }))

/** A figure as a number; null if it was not measured. */
export function figureOf(row: BenchRow | undefined, name: string): number | null {
  const value = row?.figures[name]
  return typeof value === 'number' ? value : null
}

/** Rows whose input contains all of `wanted`. */
export const rowsWith = (rows: readonly BenchRow[], wanted: BenchRow['input']): readonly BenchRow[] =>
  rows.filter(({ input }) => Object.entries(wanted).every(([name, value]) => input[name] === value))

/** The sizes of the rows, ascending. */
export const sizesOf = (rows: readonly BenchRow[], name: string): readonly number[] =>
  [...new Set(rows.flatMap(({ input }) => (typeof input[name] === 'number' ? [input[name]] : [])))].sort(
    (a, b) => a - b,
  )

/** A curve of one figure over one size, without unmeasured points. */
export const curve = (
  rows: readonly BenchRow[],
  series: string,
  size: string,
  figure: string,
): readonly Point[] =>
  rows.flatMap((row) => {
    const [x, y] = [row.input[size], figureOf(row, figure)]
    return typeof x === 'number' && y !== null ? [{ series, x, y }] : []
  })
