import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { countVideos, isListed } from '../videos/video-repository.ts'

/** Up to this many videos are all read and shuffled; above, places are drawn. */
const SMALL_LIBRARY = 200

/** Numbers in [0, 1) that depend on `seed` alone. */
export function randomNumbers(seed: string, count: number): number[] {
  const numbers: number[] = []
  for (let block = 0; numbers.length < count; block += 1) {
    const bytes = createHash('sha256').update(`${seed}:${block}`).digest()
    for (let at = 0; at < 32 && numbers.length < count; at += 4) {
      numbers.push(bytes.readUInt32BE(at) / 2 ** 32)
    }
  }
  return numbers
}

/** The same order for the same seed (Fisher–Yates). */
export function shuffled<T>(items: readonly T[], seed: string): T[] {
  const result = [...items]
  const numbers = randomNumbers(seed, result.length)
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor((numbers[last] ?? 0) * (last + 1))
    const [a, b] = [result[last], result[other]]
    if (a !== undefined && b !== undefined) [result[last], result[other]] = [b, a]
  }
  return result
}

/**
 * Up to `count` different playable public videos, at random but the same for the same seed. Each is the
 * next one after a drawn place in the order of `shuffle_key`: as many short index look-ups as videos
 * wanted, however large the library is.
 */
export async function pickRandom(db: Queries, seed: string, count: number): Promise<VideoRow[]> {
  if ((await countVideos(db, { includePrivate: false })) <= SMALL_LIBRARY) {
    return shuffled(await allPlayable(db), seed).slice(0, count)
  }
  // In a library of 200, drawing half as many again leaves fewer than `count` once in thousands of visits.
  const places = randomNumbers(seed, count + Math.ceil(count / 2) + 5)
  const { rows } = await sql<VideoRow>`
    select v.* from unnest(${places}::float8[]) with ordinality as draw (place, turn)
    cross join lateral (
      select * from videos where ${isListed} and shuffle_key >= draw.place
      order by shuffle_key limit 1
    ) v
    order by draw.turn`.execute(db)
  return [...new Map(rows.map((row) => [row.id, row])).values()].slice(0, count)
}

const allPlayable = (db: Queries): Promise<VideoRow[]> =>
  db.selectFrom('videos').selectAll().where(isListed).orderBy('shuffleKey').limit(SMALL_LIBRARY).execute()
