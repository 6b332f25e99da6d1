/**
 * Search over 1,000,000 videos: ours beside a plain ILIKE on the same rows, alternately, then again while videos
 * are added. Each class of texts is searched many times with ours and a few times with ILIKE (about a second each);
 * results must be equal.
 *
 *   node bench/search.ts [rows] [rounds] [--adding 50] [--seconds 60] [--json FILE]
 */
import { parseArgs } from 'node:util'
import { quantile } from './quantile.ts'
import { type BenchRow, machine, rounded, stolenClock, writeRows } from './report.ts'
import { type Added, startAdding } from './search/adding.ts'
import { openLibrary } from './search/library.ts'
import { LIMIT, type Measured, measureQuiet, measureWhileAdding } from './search/measure.ts'

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
  const stolen = stolenClock()
  let busy: Measured
  let added: Added
  try {
    busy = await measureWhileAdding(library, adding, Number(values.seconds))
  } finally {
    added = await adding.stop()
  }
  const addingRow = rowOf(added, stolen())
  console.log(`while videos were added: ${JSON.stringify(addingRow.figures)}`)
  print(busy.rows)
  if (!quiet.isSame || !busy.isSame) {
    console.error('Some results differ from those of ILIKE.')
    process.exitCode = 1
  }
  if (values.json !== undefined) writeRows(values.json, [...quiet.rows, ...busy.rows, addingRow])
} finally {
  await library.close()
}

function rowOf({ count, refused, perSecond, answeredMs }: Added, stolenPercent: number): BenchRow {
  return {
    bench: 'search-adding',
    input: { videos: rowCount, addedPerSecond: Number(values.adding) },
    figures: {
      due: count,
      refused,
      addedPerSecond: rounded(perSecond, 1),
      p50Ms: rounded(quantile(answeredMs, 0.5), 1),
      p99Ms: rounded(quantile(answeredMs, 0.99), 1),
      stolenPercent: rounded(stolenPercent, 1),
    },
  }
}
