import { encodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import type { Queries } from '../../db/schema.ts'
import { isSearchable, likePattern, matchingIds, matchingUnlistedIds } from '../search/search-repository.ts'
import {
  countScanned,
  countUpTo,
  type ListedRow,
  type ListOptions,
  lastScanned,
  listCursor,
  listVideos,
  scanList,
} from './list-repository.ts'
import { countVideos } from './video-repository.ts'

export interface FindOptions extends Omit<ListOptions, 'ids'> {
  text: string
}

/**
 * Cost limits, in videos: `maxMatches` from the gram index are counted and sorted; `maxScanned` are scanned for a page;
 * `maxCounted` are scanned to count a frequent text for those who edit the library. Viewers, of whom
 * there may be many, get a capped count.
 */
export const FIND_LIMITS = { maxMatches: 1_000, maxScanned: 20_000, maxCounted: 100_000 }

export interface FoundPage {
  items: ListedRow[]
  nextCursor: string | null
  total: number
  isTotalCapped?: boolean
}

/**
 * A page of listed videos (with `includePrivate`, of all accepted ones) whose title, artist, description or genre contains
 * `text`, ignoring case, in any sort order of lists.
 *
 * The gram index is searched first. Up to `maxMatches` matches are sorted and counted exactly. With more matches, the
 * list is scanned in its order until the page is full. `isTotalCapped` means that there may be more than `total`. A page
 * may be shorter than `limit`; only a null `nextCursor` means the end.
 */
export async function findInList(
  db: Queries,
  options: FindOptions,
  limits = FIND_LIMITS,
): Promise<FoundPage> {
  const { text, ...list } = options
  const { maxMatches, maxScanned } = limits
  if (!isSearchable(text)) return { items: [], nextCursor: null, total: 0 }
  const ids = await matchingIds(db, text, maxMatches + 1)
  if (list.includePrivate) ids.push(...(await matchingUnlistedIds(db, text, maxMatches + 1, maxScanned)))
  if (ids.length > maxMatches) return findByScan(db, options, limits)
  const { category, tag, includePrivate } = list
  const [rows, total] = await Promise.all([
    listVideos(db, { ...list, ids }),
    countUpTo(db, { category, tag, includePrivate, ids }, ids.length),
  ])
  return { ...pageOf(rows, options), total }
}

const pageOf = (rows: readonly ListedRow[], { limit, sort }: FindOptions) =>
  toPage(
    rows,
    limit,
    (row) => row,
    (row) => listCursor(sort, row),
  )

async function findByScan(db: Queries, options: FindOptions, limits: typeof FIND_LIMITS): Promise<FoundPage> {
  const { limit, cursor, text, ...list } = options
  const scan = { ...list, pattern: likePattern(text), maxScanned: limits.maxScanned }
  const [rows, total] = await Promise.all([
    scanList(db, { ...scan, limit, cursor }),
    countFrequent(db, options, limits),
  ])
  const page = pageOf(rows, options)
  if (page.nextCursor !== null) return { ...page, ...total }
  const last = await lastScanned(db, { ...scan, cursor })
  return { ...page, nextCursor: last ? encodeCursor(listCursor(list.sort, last)) : null, ...total }
}

/** The total for a frequent text. It may be rare within a category or tag: there the newest videos are scanned and counted. */
async function countFrequent(
  db: Queries,
  { category, tag, includePrivate, text }: FindOptions,
  limits: typeof FIND_LIMITS,
): Promise<Pick<FoundPage, 'total' | 'isTotalCapped'>> {
  const { maxCounted } = limits
  const { maxMatches, maxScanned } = includePrivate
    ? { maxMatches: maxCounted, maxScanned: maxCounted }
    : limits
  if (!includePrivate && category === undefined && tag === undefined)
    return { total: maxMatches, isTotalCapped: true }
  const list = { category, tag, includePrivate }
  const [matches, listed] = await Promise.all([
    countScanned(db, {
      ...list,
      sort: 'newest',
      pattern: likePattern(text),
      maxScanned,
      limit: maxMatches + 1,
    }),
    tag === undefined ? countVideos(db, list) : countUpTo(db, list, maxScanned + 1),
  ])
  const isTotalCapped = matches > maxMatches || listed > maxScanned
  return { total: Math.min(matches, maxMatches), ...(isTotalCapped && { isTotalCapped }) }
}
