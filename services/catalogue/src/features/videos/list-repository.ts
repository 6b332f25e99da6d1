import type { VideoSort } from '@looptide/contracts/http/videos'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { textAndId, timeAndId } from '../shared/cursor-keys.ts'
import { isListed } from './video-repository.ts'

export interface ListOptions {
  sort: VideoSort
  /** The opposite order. */
  reverse?: boolean | undefined
  category?: string | undefined
  /** Restricts the list to videos with this tag, compared without case. */
  tag?: string | undefined
  /** Restricts the list to these videos. */
  ids?: readonly string[] | undefined
  /** Includes unlisted (private, unavailable and untitled) videos. Videos under review are in no list. */
  includePrivate: boolean
  limit: number
  cursor?: string | undefined
}

/** A row with its sort key, as in {@link SORT_KEYS}. Lists by time are sorted by `createdAt` instead. */
export type ListedRow = VideoRow & { key: string }

/**
 * Sort keys, the same expressions as in the indexes. By name: the first 80 characters in lower case. Numbers are texts of
 * fixed length, so that all keys are texts. By duration: what is played (`playedMs` of packages/playhead).
 */
const SORT_KEYS: Record<VideoSort, RawBuilder<string>> = {
  newest: sql`''`,
  title: sql`left(lower(title), 80)`,
  artist: sql`left(lower(artist_name), 80)`,
  genre: sql`left(lower(coalesce(genre, '')), 80)`,
  category: sql`coalesce(category, '')`,
  mostLiked: sql`lpad(like_count::text, 10, '0')`,
  duration: sql`lpad(played_ms(duration_ms, start_at_ms, end_at_ms)::text, 10, '0')`,
}

/** The sort key of a list. The videos of one category have all the same category: they are sorted by title. */
const sortKeyOf = ({ sort, category }: Pick<ListOptions, 'sort' | 'category'>): RawBuilder<string> =>
  SORT_KEYS[sort === 'category' && category !== undefined ? 'title' : sort]

/** The most liked listed videos, without those that nobody likes. */
export const mostLiked = (db: Queries, limit: number): Promise<ListedRow[]> =>
  selectOrdered(db, { sort: 'mostLiked', includePrivate: false })
    .where('likeCount', '>', 0)
    .limit(limit)
    .execute()

/** Whether a list begins with the highest sort key. */
const isDescending = ({ sort, reverse = false }: Pick<ListOptions, 'sort' | 'reverse'>): boolean =>
  (sort === 'newest' || sort === 'mostLiked') !== reverse

/** One page and one extra row. The cursor is {@link listCursor} of the last row of the previous page. */
export function listVideos(db: Queries, options: ListOptions): Promise<ListedRow[]> {
  return selectOrdered(db, options)
    .limit(options.limit + 1)
    .execute()
}

/** Like {@link listVideos}, with ids and sort keys only. */
export function listVideoIds(db: Queries, options: Omit<ListOptions, 'ids'>) {
  return selectOrdered(db, options)
    .clearSelect()
    .select(['id', 'createdAt'])
    .select(sortKeyOf(options).as('key'))
    .limit(options.limit + 1)
    .execute()
}

/** The list from the cursor on, without a limit. */
function selectOrdered(db: Queries, options: Omit<ListOptions, 'limit'>) {
  const { sort, category, tag, ids, includePrivate, cursor } = options
  const direction = isDescending(options) ? 'desc' : 'asc'
  let query = db
    .selectFrom('videos')
    .selectAll()
    .select(sortKeyOf(options).as('key'))
    .where('reviewState', 'is', null)
  if (!includePrivate) query = query.where(isListed)
  if (category !== undefined) query = query.where('category', '=', category)
  if (tag !== undefined) query = query.where(hasTag(tag))
  if (ids !== undefined) query = query.where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
  if (cursor !== undefined) query = query.where(isAfter(options, cursor))
  return query
    .orderBy(sort === 'newest' ? 'createdAt' : sortKeyOf(options), direction)
    .orderBy('id', direction)
}

/** Whether a row of `videos` has a tag. Uses the index on `lower_tags`, which has no videos without tags. */
const hasTag = (tag: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`tags <> '{}' and lower_tags(tags) @> array[lower(${tag.trim()})]`

function isAfter(
  list: Pick<ListOptions, 'sort' | 'reverse' | 'category'>,
  cursor: string,
): RawBuilder<SqlBool> {
  const comparison = isDescending(list) ? sql`<` : sql`>`
  if (list.sort === 'newest') {
    const { at, id } = timeAndId(cursor)
    return sql<SqlBool>`(created_at, id) ${comparison} (${at}, ${id}::uuid)`
  }
  const { text, id } = textAndId(cursor)
  return sql<SqlBool>`(${sortKeyOf(list)}, id) ${comparison} (${text}, ${id}::uuid)`
}

/** The content of the cursor after this row: its sort key and id. */
export const listCursor = (
  sort: ListOptions['sort'],
  row: Pick<ListedRow, 'createdAt' | 'key' | 'id'>,
): readonly (string | number)[] => (sort === 'newest' ? [row.createdAt.getTime(), row.id] : [row.key, row.id])

type Scan = Omit<ListOptions, 'ids' | 'limit'> & {
  /** LIKE pattern, compared in lower case. */
  pattern: string
  /** Maximum videos to scan. */
  maxScanned: number
}

/**
 * The videos among the first `maxScanned` from the cursor on whose document matches the pattern. Reads one document per
 * scanned video, so the cost is bounded.
 */
function selectScanned(db: Queries, { pattern, maxScanned, ...options }: Scan) {
  return db
    .selectFrom(selectOrdered(db, options).limit(maxScanned).as('scanned'))
    .innerJoinLateral(matchOf(pattern, options.includePrivate).as('match'), (join) => join.onTrue())
}

/** The scanned row if it matches. Unlisted videos have no document, so `includePrivate` builds it from the row's texts. */
const matchOf = (pattern: string, includePrivate: boolean): RawBuilder<{ videoId: string }> =>
  includePrivate
    ? sql`(
        select scanned.id as video_id
        where video_document(scanned.title, scanned.artist_name, scanned.description, scanned.genre)
          like lower(${pattern})
      )`
    : // `offset 0` stops the planner from joining and sorting the whole tables.
      sql`(
        select d.video_id from video_documents d
        where d.video_id = scanned.id and d.document like lower(${pattern}) offset 0
      )`

/** The first `limit` matches of a scan and one extra row. A page can be short if the scan ends: {@link lastScanned}. */
export function scanList(db: Queries, { limit, ...options }: Scan & { limit: number }): Promise<ListedRow[]> {
  const direction = isDescending(options) ? 'desc' : 'asc'
  return selectScanned(db, options)
    .selectAll('scanned')
    .orderBy(options.sort === 'newest' ? 'scanned.createdAt' : 'scanned.key', direction)
    .orderBy('scanned.id', direction)
    .limit(limit + 1)
    .execute()
}

/** The number of matches of a scan, at most `limit`. */
export async function countScanned(
  db: Queries,
  { limit, ...options }: Scan & { limit: number },
): Promise<number> {
  const { total } = await db
    .selectFrom(selectScanned(db, options).select('scanned.id').limit(limit).as('matches'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** The last row of a scan, from which the next page continues; undefined if the scan reached the end of the list. */
export function lastScanned(
  db: Queries,
  { maxScanned, ...list }: Omit<Scan, 'pattern'>,
): Promise<ListedRow | undefined> {
  return selectOrdered(db, list)
    .offset(maxScanned - 1)
    .limit(1)
    .executeTakeFirst()
}

/** The number of videos of a list, counted up to `limit`. */
export async function countUpTo(
  db: Queries,
  list: Omit<ListOptions, 'sort' | 'reverse' | 'cursor' | 'limit'>,
  limit: number,
): Promise<number> {
  const { total } = await db
    .selectFrom(
      selectOrdered(db, { ...list, sort: 'newest' })
        .clearSelect()
        .clearOrderBy()
        .select('id')
        .limit(limit)
        .as('counted'),
    )
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

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
