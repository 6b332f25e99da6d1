import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { textAndId, timeAndId } from '../shared/cursor-keys.ts'
import { isListed } from './video-repository.ts'

export interface ListOptions {
  sort: 'newest' | 'title' | 'artist'
  category?: string | undefined
  /** Only these. */
  ids?: readonly string[] | undefined
  /** What viewers do not find as well: private and unavailable videos. Videos under review are in no list. */
  includePrivate: boolean
  limit: number
  cursor?: string | undefined
}

/** A row with what it is sorted by: its name as the indexes have it. Lists by time are sorted by `createdAt`. */
export type ListedRow = VideoRow & { key: string }

/** How a name is ordered in lists: without case, by its first 80 characters, as the indexes have it. */
const SORT_KEYS = {
  newest: sql<string>`''`,
  title: sql<string>`left(lower(title), 80)`,
  artist: sql<string>`left(lower(artist_name), 80)`,
}

/** One page and one row more. The cursor is the sort key of the last row and its id: {@link listCursor}. */
export function listVideos(db: Queries, options: ListOptions): Promise<ListedRow[]> {
  return inOrder(db, options)
    .limit(options.limit + 1)
    .execute()
}

/** As {@link listVideos}, without what is not needed to go on from a row. */
export function listVideoIds(db: Queries, options: Omit<ListOptions, 'ids'>) {
  return inOrder(db, options)
    .clearSelect()
    .select(['id', 'createdAt'])
    .select(SORT_KEYS[options.sort].as('key'))
    .limit(options.limit + 1)
    .execute()
}

/** The list from the cursor on, without an end. */
function inOrder(db: Queries, options: Omit<ListOptions, 'limit'>) {
  const { sort, category, ids, includePrivate, cursor } = options
  let query = db
    .selectFrom('videos')
    .selectAll()
    .select(SORT_KEYS[sort].as('key'))
    .where('reviewState', 'is', null)
  if (!includePrivate) query = query.where(isListed)
  if (category !== undefined) query = query.where('category', '=', category)
  if (ids !== undefined) query = query.where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
  if (cursor !== undefined) query = query.where(isAfter(sort, cursor))
  return sort === 'newest'
    ? query.orderBy('createdAt', 'desc').orderBy('id', 'desc')
    : query.orderBy(SORT_KEYS[sort]).orderBy('id')
}

function isAfter(sort: ListOptions['sort'], cursor: string): RawBuilder<SqlBool> {
  if (sort === 'newest') {
    const { at, id } = timeAndId(cursor)
    return sql<SqlBool>`(created_at, id) < (${at}, ${id}::uuid)`
  }
  const { text, id } = textAndId(cursor)
  return sql<SqlBool>`(${SORT_KEYS[sort]}, id) > (${text}, ${id}::uuid)`
}

/** What the cursor after this row holds. */
export const listCursor = (
  sort: ListOptions['sort'],
  row: Pick<ListedRow, 'createdAt' | 'key' | 'id'>,
): readonly (string | number)[] => (sort === 'newest' ? [row.createdAt.getTime(), row.id] : [row.key, row.id])

type Walk = Omit<ListOptions, 'ids' | 'limit'> & {
  /** A LIKE pattern; case does not matter. */
  pattern: string
  /** Looks at this many videos at most. */
  most: number
}

/**
 * Of the first `most` videos from the cursor on, those whose document fits the pattern. Each document is looked up by
 * itself, so the cost is bounded.
 */
function walking(db: Queries, { pattern, most, ...options }: Walk) {
  return db
    .selectFrom(inOrder(db, options).limit(most).as('walked'))
    .innerJoinLateral(fitting(pattern, options.includePrivate).as('fitting'), (join) => join.onTrue())
}

/** The walked row when it fits. What viewers do not find has no document: with it, it is made of each row's own texts. */
const fitting = (pattern: string, includePrivate: boolean): RawBuilder<{ videoId: string }> =>
  includePrivate
    ? sql`(
        select walked.id as video_id
        where video_document(walked.title, walked.artist_name, walked.description, walked.genre)
          like lower(${pattern})
      )`
    : // Without `offset` the planner would join the whole tables, and sort.
      sql`(
        select d.video_id from video_documents d
        where d.video_id = walked.id and d.document like lower(${pattern}) offset 0
      )`

/** The first `limit` videos of a walk, and one more. A page may be short of what there is: {@link endOfWalk}. */
export function walkList(db: Queries, { limit, ...options }: Walk & { limit: number }): Promise<ListedRow[]> {
  const rows = walking(db, options)
    .selectAll('walked')
    .limit(limit + 1)
  return options.sort === 'newest'
    ? rows.orderBy('walked.createdAt', 'desc').orderBy('walked.id', 'desc').execute()
    : rows.orderBy('walked.key').orderBy('walked.id').execute()
}

/** How many videos a walk finds, counted no further than `limit`. */
export async function countWalk(
  db: Queries,
  { limit, ...options }: Walk & { limit: number },
): Promise<number> {
  const { total } = await db
    .selectFrom(walking(db, options).select('walked.id').limit(limit).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Where such a walk ends; undefined when that is the end of the list. */
export function endOfWalk(
  db: Queries,
  { most, sort, category, cursor, includePrivate }: Omit<Walk, 'pattern'>,
): Promise<ListedRow | undefined> {
  return inOrder(db, { sort, category, cursor, includePrivate })
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst()
}

/** How many of these viewers may find (or are there at all, with `includePrivate`) in that category. */
export async function countOf(
  db: Queries,
  ids: readonly string[],
  { category, includePrivate }: Pick<ListOptions, 'category' | 'includePrivate'>,
): Promise<number> {
  let query = db
    .selectFrom('videos')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
  if (!includePrivate) query = query.where(isListed)
  if (category !== undefined) query = query.where('category', '=', category)
  return Number((await query.executeTakeFirstOrThrow()).total)
}
