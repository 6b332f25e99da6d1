/**
 * What each part of the search gains: our search beside a plain ILIKE, a plain pg_trgm index and ours without one part
 * each, on the same videos in one run. Prints the processor time of the server process for a search of each class of
 * texts, in ms, which other work on the machine affects least. The JSON also has the median and the longest time.
 *
 *   node bench/search-parts.ts [videos] [rounds] [--json FILE]      default 100000 videos, 5 rounds
 */
import { parseArgs } from 'node:util'
import { quantile } from './quantile.ts'
import { type BenchRow, machine, rounded, writeRows } from './report.ts'
import { type Alternative, alternatives } from './search/alternatives.ts'
import { type Library, openLibrary } from './search/library.ts'
import { LIMIT } from './search/measure.ts'
import { searchClasses } from './search/texts.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } })
const videos = Number(positionals[0] ?? 100_000)
const rounds = Number(positionals[1] ?? 5)

console.log(machine())
const library = await openLibrary(videos)
try {
  const expected = new Map<string, string>()
  const rows: BenchRow[] = []
  for (const alternative of alternatives) rows.push(...(await measure(library, alternative, expected)))
  const tableRows = searchClasses.map(({ name }) => [
    name,
    Object.fromEntries(rows.filter(({ input }) => input.texts === name).map(cellOf)),
  ])
  console.table(Object.fromEntries(tableRows))
  if (values.json !== undefined) writeRows(values.json, rows)
} finally {
  await library.close()
}

function cellOf({ input, figures }: BenchRow): [string, number | string] {
  return [String(input.alternative), figures.cpuMs ?? '']
}

/** @throws Error if it does not find what the first alternative found */
async function measure(
  { db, cpuMs }: Library,
  { name, prepare, search, restore }: Alternative,
  expected: Map<string, string>,
): Promise<BenchRow[]> {
  await prepare?.(db)
  const rows: BenchRow[] = []
  for (const { name: texts, texts: queries } of searchClasses) {
    const times: number[] = []
    let usedMs = 0
    for (const text of queries) {
      const found = (await search(db, text, LIMIT)).join()
      if ((expected.get(text) ?? found) !== found)
        throw new Error(`${name} finds other videos for "${text}".`)
      expected.set(text, found)
      const before = cpuMs()
      for (let round = 0; round < rounds; round += 1) {
        const startedMs = performance.now()
        await search(db, text, LIMIT)
        times.push(performance.now() - startedMs)
      }
      usedMs += cpuMs() - before
    }
    const sorted = times.toSorted((a, b) => a - b)
    const figures = {
      cpuMs: rounded(usedMs / times.length, 1),
      p50Ms: rounded(quantile(sorted, 0.5), 1),
      maxMs: rounded(quantile(sorted, 1), 1),
    }
    rows.push({ bench: 'search-parts', input: { videos, texts, alternative: name }, figures })
  }
  await restore?.(db)
  return rows
}
