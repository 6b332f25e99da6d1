import { encodeCursor, toPage } from '@looptide/service-kit/cursor'
import type { Queries } from '../../db/schema.ts'
import { isSearchable, likePattern, matchingIds, matchingUnlistedIds } from '../search/search-repository.ts'
import {
  countOf,
  countWalk,
  endOfWalk,
  type ListedRow,
  type ListOptions,
  listCursor,
  listVideos,
  walkList,
} from './list-repository.ts'
import { countVideos } from './video-repository.ts'

export interface FindOptions extends Omit<ListOptions, 'ids'> {
  text: string
}

/** Bounds of the cost, in videos: counted and sorted as one; looked at one by one for a page. */
export const FIND_LIMITS = { counted: 1_000, walked: 20_000 }

export interface FoundPage {
  items: ListedRow[]
  nextCursor: string | null
  total: number
  isTotalCapped?: boolean
}

/**
 * A page of viewers' videos (of all, with `includePrivate`) whose title, artist, description or genre contains the text, whatever the case, in any
 * order that lists have. A rare text is answered from the search's index, and counted; for a frequent one the list
 * is walked in its order until the page is full. As in search, the planner cannot know which it is, so the index is
 * asked first. `isTotalCapped`: there may be more than `total`. A page may be short; only `nextCursor` tells the end.
 */
export async function findInList(db: Queries, options: FindOptions, most = FIND_LIMITS): Promise<FoundPage> {
  const { text, ...list } = options
  if (!isSearchable(text)) return { items: [], nextCursor: null, total: 0 }
  const ids = await matchingIds(db, text, most.counted + 1)
  if (list.includePrivate) ids.push(...(await matchingUnlistedIds(db, text, most.counted + 1, most.walked)))
  if (ids.length > most.counted) return walk(db, options, most)
  const [rows, total] = await Promise.all([listVideos(db, { ...list, ids }), countOf(db, ids, list)])
  return { ...pageOf(rows, options), total }
}

const pageOf = (rows: readonly ListedRow[], { limit, sort }: FindOptions) =>
  toPage(
    rows,
    limit,
    (row) => row,
    (row) => listCursor(sort, row),
  )

async function walk(db: Queries, options: FindOptions, most: typeof FIND_LIMITS): Promise<FoundPage> {
  const { sort, category, includePrivate, limit, cursor, text } = options
  const bounds = { sort, category, includePrivate, pattern: likePattern(text), most: most.walked }
  const [rows, total] = await Promise.all([
    walkList(db, { ...bounds, limit, cursor }),
    countFrequent(db, options, most),
  ])
  const page = pageOf(rows, options)
  if (page.nextCursor !== null) return { ...page, ...total }
  const end = await endOfWalk(db, { ...bounds, cursor })
  return { ...page, nextCursor: end ? encodeCursor(listCursor(sort, end)) : null, ...total }
}

/** A frequent text may be rare in a category: there the newest are counted. */
async function countFrequent(
  db: Queries,
  { category, includePrivate, text }: FindOptions,
  { counted, walked }: typeof FIND_LIMITS,
): Promise<Pick<FoundPage, 'total' | 'isTotalCapped'>> {
  if (category === undefined) return { total: counted, isTotalCapped: true }
  const bounds = {
    sort: 'newest',
    category,
    includePrivate,
    pattern: likePattern(text),
    most: walked,
  } as const
  const [found, inCategory] = await Promise.all([
    countWalk(db, { ...bounds, limit: counted + 1 }),
    countVideos(db, { category, includePrivate }),
  ])
  const isTotalCapped = found > counted || inCategory > walked
  return { total: Math.min(found, counted), ...(isTotalCapped && { isTotalCapped }) }
}
