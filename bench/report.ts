import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'

/** Input and figures of one measurement; `docs/performance.md` is made from these. */
export interface BenchRow {
  /** The benchmark's file name without its extension. */
  bench: string
  /** Sizes and variants, such as `{ viewers: 1000, server: 'hub' }`. */
  input: Record<string, number | string>
  /** Names contain the unit, such as `p99Ms`; null for what was not measured. */
  figures: Record<string, number | string | null>
}

/** Writes the rows as one JSON array, replacing the file. */
export function writeRows(file: string, rows: readonly BenchRow[]): void {
  writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`)
}

/** Reads the file of {@link writeRows}. */
export const readRows = (file: string): BenchRow[] => JSON.parse(readFileSync(file, 'utf8')) as BenchRow[]

/**
 * The sizes from the arguments or the defaults, and the file of `--json FILE`. Throws for a size that is not a
 * positive number and for an unknown option.
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

/** One line that describes the machine, printed first. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${process.platform}`

/**
 * Returns the share of processor time that other guests of the host have taken since the call, in percent (proc(5):
 * the eighth field of a processor, "steal"); 0 on dedicated hardware. Measured times include it.
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

/**
 * Measures each size of the arguments, or of the defaults, one after the other, prints the rows and writes them to the
 * file of `--json FILE`.
 */
export async function measureSizes(
  defaults: readonly number[],
  measure: (size: number) => Promise<BenchRow>,
): Promise<void> {
  const { sizes, json } = benchArguments(defaults)
  const rows: BenchRow[] = []
  console.log(machine())
  for (const size of sizes) rows.push(await measure(size))
  console.table(rows.map(({ input, figures }) => ({ ...input, ...figures })))
  if (json !== undefined) writeRows(json, rows)
}

/** Rounded to `digits` decimals. */
export const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits))
