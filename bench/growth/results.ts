import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { BenchRow } from '../report.ts'

/** Result of one step: what, when, where, and at which commit. */
export interface StepResult {
  /** Day, as in RFC 3339. */
  measuredOn: string
  commit: string
  machine: string
  rows: readonly BenchRow[]
}

/** By item and step. */
export type Results = Record<string, Record<string, StepResult>>

export const readResults = (file: string): Results =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {}

/** One line per row, so that a diff shows what was measured again. */
export function writeResults(file: string, results: Results): void {
  const items = Object.entries(results).map(([item, steps]) => {
    const written = Object.entries(steps).map(
      ([step, { rows, ...facts }]) =>
        `  ${JSON.stringify(step)}: ${JSON.stringify(facts).slice(0, -1)}, "rows": [\n` +
        `${rows.map((row) => `   ${JSON.stringify(row)}`).join(',\n')}\n  ]}`,
    )
    return ` ${JSON.stringify(item)}: {\n${written.join(',\n')}\n }`
  })
  writeFileSync(file, `{\n${items.join(',\n')}\n}\n`)
}
