import type { VideoSelection } from '@looptide/contracts/http/video-jobs'
import type { Queries } from '../../db/schema.ts'
import { videoIdPage } from './video-lists.ts'

/** The ids of a selection, each once and in their order. */
export async function selectedIds(
  db: Queries,
  { ids = [], filter, except = [] }: VideoSelection,
): Promise<string[]> {
  const matching = filter === undefined ? [] : await allIds(db, filter)
  const excluded = new Set(except)
  return [...new Set([...matching.filter((id) => !excluded.has(id)), ...ids])].sort()
}

async function allIds(db: Queries, filter: NonNullable<VideoSelection['filter']>): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await videoIdPage(db, {
      ...filter,
      ...(cursor !== undefined && { cursor }),
    })
    ids.push(...items)
    if (nextCursor === null) return ids
    cursor = nextCursor
  }
}

/** Splits ids into lists of at most `size`. */
export function* inLists(ids: readonly string[], size: number): Generator<string[]> {
  for (let from = 0; from < ids.length; from += size) yield ids.slice(from, from + size)
}
