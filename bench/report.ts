import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'

/** What one measurement was given and what it found; `docs/performance.md` is made from these. */
export interface BenchRow {
  /** The benchmark's file name without its ending. */
  bench: string
  /** Sizes and variants, such as `{ viewers: 1000, server: 'hub' }`. */
  input: Record<string, number | string>
  /** Each name says its unit, such as `p99Ms`; null for what could not be measured. */
  figures: Record<string, number | string | null>
}

/** Writes the rows as one JSON array, in place of what was in the file. */
export function writeRows(file: string, rows: readonly BenchRow[]): void {
  writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`)
}

/** Reads what {@link writeRows} wrote. */
export const readRows = (file: string): BenchRow[] => JSON.parse(readFileSync(file, 'utf8')) as BenchRow[]

/**
 * The sizes a benchmark was called with, or its own, and where its rows go: `--json FILE` among the arguments.
 * Throws for a size that is not a positive number and for an option nobody knows.
 */
export function benchArguments(defaults: readonly number[]): { sizes: number[]; json: string | undefined } {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'string' } },
    allowPositionals: true,
  })
  const sizes = positionals.map(Number)
  if (sizes.some((size) => !(size > 0)))
    throw new Error(`Sizes are positive numbers: ${positionals.join(' ')}`)
  return { sizes: sizes.length > 0 ? sizes : [...defaults], json: values.json }
}

/** One line about where it ran, for the first line of what a benchmark prints. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${process.platform}`

/**
 * Answers how much of the processors' time another guest of the same host has had since the call, in percent (proc(5):
 * the eighth figure of a processor, "steal"); 0 on a machine of its own. What is taken is in all times that are measured.
 */
export function stolenClock(): () => number {
  const read = () => {
    const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/ +/).map(Number)
    return { stolen: ticks[7] ?? 0, all: ticks.slice(0, 8).reduce((sum, tick) => sum + tick, 0) }
  }
  const start = read()
  return () => {
    const { stolen, all } = read()
    return all === start.all ? 0 : (100 * (stolen - start.stolen)) / (all - start.all)
  }
}

/** Rounded for people: `digits` after the point. */
export const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits))
