import {
  type InternalVideosQuery,
  type ListVideosQuery,
  MAX_IDS_PER_PAGE,
  type VideoIdsQuery,
  type VideoPage,
} from '@looptide/contracts/http/videos'
import { toPage } from '@looptide/service-kit/http/cursor'
import type { Static } from 'typebox'
import type { Queries } from '../../db/schema.ts'
import { findInList } from './find-in-list.ts'
import { countUpTo, type ListOptions, listCursor, listVideoIds, listVideos } from './list-repository.ts'
import { presentVideo } from './present-video.ts'
import { countVideos } from './video-repository.ts'

/** Videos with a tag are counted up to this number; all others have stored counts. */
const MAX_COUNTED = 100_000

/** A page of listed videos, optionally only those that match `q`. With `all`, unlisted ones as well. */
export async function videoPage(db: Queries, query: Static<typeof ListVideosQuery>): Promise<VideoPage> {
  const { sort = 'newest', limit = 100, all = false, q = '', ...rest } = query
  const list = { ...rest, sort, limit, includePrivate: all }
  const text = q.trim()
  if (text !== '') {
    const page = await findInList(db, { ...list, text })
    return { ...page, items: page.items.map(presentVideo) }
  }
  const [rows, total] = await Promise.all([listVideos(db, list), totalOf(db, list)])
  return { ...toPage(rows, limit, presentVideo, (row) => listCursor(sort, row)), ...total }
}

/** The total of a list without a search text. */
async function totalOf(
  db: Queries,
  list: Pick<ListOptions, 'category' | 'tag' | 'includePrivate'>,
): Promise<Pick<VideoPage, 'total' | 'isTotalCapped'>> {
  if (list.tag === undefined) return { total: await countVideos(db, list) }
  const counted = await countUpTo(db, list, MAX_COUNTED + 1)
  return counted > MAX_COUNTED ? { total: MAX_COUNTED, isTotalCapped: true } : { total: counted }
}

/** A page of the ids of all videos, or of those that match `q`, in list order. */
export async function videoIdPage(db: Queries, query: Static<typeof VideoIdsQuery>) {
  const { limit = MAX_IDS_PER_PAGE, sort = 'newest', q = '', ...rest } = query
  const list = { ...rest, sort, limit, includePrivate: true }
  const text = q.trim()
  if (text === '') {
    const rows = await listVideoIds(db, list)
    return toPage(
      rows,
      limit,
      ({ id }) => id,
      (row) => listCursor(sort, row),
    )
  }
  const { items, nextCursor } = await findInList(db, { ...list, text })
  return { items: items.map(({ id }) => id), nextCursor }
}

/** A page of the whole library, for a service that rebuilds its projection. */
export async function libraryPage(
  db: Queries,
  { limit = 500, cursor }: Static<typeof InternalVideosQuery>,
): Promise<VideoPage> {
  const rows = await listVideos(db, { sort: 'newest', includePrivate: true, limit, cursor })
  const total = await countVideos(db, { includePrivate: true })
  return { ...toPage(rows, limit, presentVideo, (row) => listCursor('newest', row)), total }
}
