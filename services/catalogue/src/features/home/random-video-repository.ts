import { sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { isListed } from '../videos/video-repository.ts'

/**
 * For each number of each draw the first listed video at or above it in the order of `shuffle_key`, if there is one, with
 * the index of its draw. One index lookup per number.
 */
export async function findAtKeys(
  db: Queries,
  numbers: readonly (readonly number[])[],
): Promise<(VideoRow & { draw: number })[]> {
  const drawOf = numbers.flatMap((some, draw) => some.map(() => draw))
  const { rows } = await sql<VideoRow & { draw: number }>`
    select v.*, numbers.draw from unnest(${numbers.flat()}::float8[], ${drawOf}::int[]) with ordinality as numbers (number, draw, rank)
    cross join lateral (
      select * from videos where ${isListed} and shuffle_key >= numbers.number
      order by shuffle_key limit 1
    ) v
    order by numbers.rank`.execute(db)
  return rows
}

/** The first `limit` listed videos in the order of `shuffle_key`. */
export const listByShuffleKey = (db: Queries, limit: number): Promise<VideoRow[]> =>
  db.selectFrom('videos').selectAll().where(isListed).orderBy('shuffleKey').limit(limit).execute()
