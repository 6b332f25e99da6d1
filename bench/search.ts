/**
 * Search over 1,000,000 videos: ours beside a plain ILIKE, on the same rows, in turn, and then once more while videos
 * are being added. Each class of text is asked many times of ours, a few times of ILIKE (it takes about a second
 * each); answers must be equal.
 *   node bench/search.ts [rows] [rounds] [--adding 50] [--seconds 60] [--json FILE]
 */
import { parseArgs } from 'node:util'
import { quantile } from './quantile.ts'
import { type BenchRow, machine, rounded, writeRows } from './report.ts'
import { startAdding } from './search/adding.ts'
import { openLibrary } from './search/library.ts'
import { LIMIT, measureQuiet, measureWhileAdding } from './search/measure.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    adding: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    json: { type: 'string' },
  },
})
const rowCount = Number(positionals[0] ?? 1_000_000)
const rounds = Number(positionals[1] ?? 40)

const print = (rows: readonly BenchRow[]) =>
  console.table(Object.fromEntries(rows.map(({ input, figures }) => [input.texts, figures])))

console.log(machine())
const library = await openLibrary(rowCount)
try {
  console.log(
    `${rowCount} videos, limit ${LIMIT}; ours asked ${rounds} times a text, while nothing else goes on`,
  )
  const quiet = await measureQuiet(library, rounds)
  print(quiet.rows)
  const adding = await startAdding(library, Number(values.adding))
  const busy = await measureWhileAdding(library, adding, Number(values.seconds)).finally(async () => {
    const { count, perSecond, answeredMs } = await adding.stop()
    console.log(
      `while ${count} videos were added, ${rounded(perSecond, 1)} a second` +
        ` (each in p50 ${rounded(quantile(answeredMs, 0.5), 1)}, p99 ${rounded(quantile(answeredMs, 0.99), 1)} ms)`,
    )
  })
  print(busy.rows)
  if (!quiet.isSame || !busy.isSame) {
    console.error('Some answers were not those of ILIKE.')
    process.exitCode = 1
  }
  if (values.json !== undefined) writeRows(values.json, [...quiet.rows, ...busy.rows])
} finally {
  await library.close()
}
