import { createHash } from 'node:crypto'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { findAtKeys, listByShuffleKey } from '../videos/list-repository.ts'
import { countVideos } from '../videos/video-repository.ts'

/** A library of up to this many videos is read and shuffled as a whole. */
const SMALL_LIBRARY = 200

/** Pseudo-random numbers in [0, 1) that depend on `seed` alone. */
function randomNumbers(seed: string, count: number): number[] {
  const numbers: number[] = []
  for (let block = 0; numbers.length < count; block += 1) {
    const bytes = createHash('sha256').update(`${seed}:${block}`).digest()
    for (let at = 0; at < 32 && numbers.length < count; at += 4) {
      numbers.push(bytes.readUInt32BE(at) / 2 ** 32)
    }
  }
  return numbers
}

/** A shuffled copy, in the same order for the same seed (Fisher–Yates). */
function shuffled<T>(items: readonly T[], seed: string): T[] {
  const result = [...items]
  const numbers = randomNumbers(seed, result.length)
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor((numbers[last] ?? 0) * (last + 1))
    const [a, b] = [result[last], result[other]]
    if (a !== undefined && b !== undefined) [result[last], result[other]] = [b, a]
  }
  return result
}

/** What to draw: up to `count` distinct videos; the same ones for the same seed. */
interface Draw {
  seed: string
  count: number
}

/**
 * Listed videos chosen at random, for each draw. Each is the first video at or above a random number in the order of
 * `shuffle_key`. That is one index lookup per video, independent of the size of the library.
 */
export async function pickRandom(db: Queries, draws: readonly Draw[]): Promise<VideoRow[][]> {
  if ((await countVideos(db, { includePrivate: false })) <= SMALL_LIBRARY) {
    const all = await listByShuffleKey(db, SMALL_LIBRARY)
    return draws.map(({ seed, count }) => shuffled(all, seed).slice(0, count))
  }
  // Several numbers may select the same video. With half as many extra numbers, a library of 200 yields fewer than
  // `count` videos once in thousands of requests.
  const numbers = draws.map(({ seed, count }) => randomNumbers(seed, count + Math.ceil(count / 2) + 5))
  const rows = await findAtKeys(db, numbers)
  return draws.map(({ count }, draw) => {
    const drawn = rows.filter((row) => row.draw === draw).map(({ draw: _, ...row }): VideoRow => row)
    return [...new Map(drawn.map((row) => [row.id, row])).values()].slice(0, count)
  })
}
