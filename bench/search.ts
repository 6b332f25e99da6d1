/**
 * Search over 1,000,000 videos: ours beside a plain ILIKE, on the same rows, in turn. Each class of text is asked
 * many times of ours, a few times of ILIKE (it takes about a second each); answers must be equal.
 *   node bench/search.ts [rows] [rounds]
 */
import { searchArtists, searchVideos } from '../services/catalogue/src/features/search/search-repository.ts'
import { openLibrary, plainIlike } from './search/library.ts'
import { searchClasses } from './search/texts.ts'

const rowCount = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 40)
const plainRounds = 2
const limit = 20

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work()
  times.push(performance.now() - started)
  return result
}

const round = (ms: number | undefined): number => Number((ms ?? Number.NaN).toFixed(1))
const library = await openLibrary(rowCount)
let failed = false
try {
  const table: Record<string, object> = {}
  for (const { name, texts } of searchClasses) {
    const ours: number[] = []
    const plain: number[] = []
    const artists: number[] = []
    let equal = true
    let cpu = 0
    let hits = 0
    for (const text of texts) {
      await searchVideos(library.db, text, limit)
      const before = library.cpuMs()
      let found: { id: string }[] = []
      for (let turn = 0; turn < rounds; turn += 1) {
        found = await timed(ours, () => searchVideos(library.db, text, limit))
      }
      cpu += library.cpuMs() - before
      hits += found.length
      for (let turn = 0; turn < rounds; turn += 1) {
        await timed(artists, () => searchArtists(library.db, text, 5))
      }
      for (let turn = 0; turn < plainRounds; turn += 1) {
        const expected = await timed(plain, () => plainIlike(library.db, text, limit))
        equal &&= expected.join() === found.map((video) => video.id).join()
      }
    }
    for (const times of [ours, plain, artists]) times.sort((a, b) => a - b)
    failed ||= !equal
    table[name] = {
      hits: Math.round(hits / texts.length),
      'ours p50 ms': round(percentile(ours, 0.5)),
      'ours p99 ms': round(percentile(ours, 0.99)),
      'ours CPU ms': round(cpu / (rounds * texts.length)),
      'ILIKE p50 ms': round(percentile(plain, 0.5)),
      'ILIKE p99 ms': round(percentile(plain, 0.99)),
      'times faster': Math.round(percentile(plain, 0.5) / percentile(ours, 0.5)),
      'artists p99 ms': round(percentile(artists, 0.99)),
      'same answer': equal,
    }
  }
  console.log(
    `${rowCount} videos; ours asked ${rounds} times a text, ILIKE ${plainRounds} times, limit ${limit}`,
  )
  console.table(table)
} finally {
  await library.close()
}
if (failed) process.exitCode = 1
