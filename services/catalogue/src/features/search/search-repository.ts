import { sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { isListed } from '../videos/video-repository.ts'

/** Newest documents that are scanned with LIKE before the gram index is used, in rows. */
const NEWEST_SCANNED = 1000
/** Artists with the most videos that are scanned with LIKE before the gram index is used, in rows. */
const TOP_ARTISTS_SCANNED = 2000

/** Characters that no document contains: NUL, which Postgres cannot store, and U+001F, the field separator. */
const NOT_IN_DOCUMENTS = ['\0', '\u001f']
/** False if no document can contain `text`. */
export const isSearchable = (text: string): boolean => NOT_IN_DOCUMENTS.every((char) => !text.includes(char))

/** A LIKE pattern for "contains `text`": the wildcards in `text` are escaped. */
export const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, (char) => `\\${char}`)}%`

export interface SearchHits {
  videos: VideoRow[]
  artists: ArtistHit[]
}

export interface ArtistHit {
  name: string
  videoCount: number
}

/**
 * Searches videos ({@link searchVideos}) and artists ({@link searchArtists}); `limits` caps each list, in rows.
 *
 * A document contains its artist's name. A search that returns fewer videos than its limit has therefore found every
 * matching artist as well: the artists are selected from those of the videos, without a second index search.
 */
export async function searchByText(
  db: Queries,
  text: string,
  limits: { videos: number; artists: number },
): Promise<SearchHits> {
  const videos = await searchVideos(db, text, limits.videos)
  const artists =
    videos.length < limits.videos
      ? await matchingArtistsOf(db, videos, text, limits.artists)
      : await searchArtists(db, text, limits.artists)
  return { videos, artists }
}

/**
 * Listed videos whose title, artist, description or genre contains `text`, ignoring case, newest first. Returns the same
 * rows as ILIKE on each field.
 *
 * The SQL function `search_videos` first scans the newest `newestScanned` documents, which is fast for a frequent text.
 * If that yields fewer than `limit` rows, it searches the gram index, which is fast for a rare text. The planner has no
 * statistics that distinguish the two cases, so the order is fixed (docs/search.md).
 */
export async function searchVideos(
  db: Queries,
  text: string,
  limit: number,
  newestScanned = NEWEST_SCANNED,
): Promise<VideoRow[]> {
  if (!isSearchable(text)) return []
  const { rows } = await sql<VideoRow>`
    select v.*
    from search_videos(${text}, ${likePattern(text)}, ${limit}, ${newestScanned}) with ordinality as hit(id, rank)
    join videos v on v.id = hit.id
    order by hit.rank`.execute(db)
  return rows
}

/** Ids of the newest `limit` listed videos that match `text`, as in {@link searchVideos}, from the gram index alone. */
export async function matchingIds(db: Queries, text: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select video_id as id from search_video_documents(${text}, ${likePattern(text)}, ${limit})`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Ids of the newest `limit` accepted but unlisted (private, unavailable or untitled) videos that match `text`.
 *
 * Unlisted videos have no document and no gram index. They are few, so the newest `maxScanned` rows are scanned.
 */
export async function matchingUnlistedIds(
  db: Queries,
  text: string,
  limit: number,
  maxScanned: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, title, artist_name, description, genre from videos where not ${isListed} and review_state is null
      order by created_at desc, id desc limit ${maxScanned}
    ) unlisted
    where video_document(title, artist_name, description, genre) like lower(${likePattern(text)})
    limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Listed videos whose artist is exactly `artistName`, newest first. */
export function videosOfArtist(db: Queries, artistName: string, limit: number): Promise<VideoRow[]> {
  return db
    .selectFrom('videos')
    .selectAll()
    .where(isListed)
    .where('artistName', '=', artistName)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The artists of `videos` whose name contains `text`, in the order of {@link searchArtists}. */
async function matchingArtistsOf(
  db: Queries,
  videos: readonly VideoRow[],
  text: string,
  limit: number,
): Promise<ArtistHit[]> {
  if (videos.length === 0) return []
  const names = [...new Set(videos.map(({ artistName }) => artistName))]
  const { rows } = await sql<ArtistHit>`
    select name, video_count from artists
    where name = any(${names}) and document like lower(${likePattern(text)}) and video_count > 0
    order by video_count desc, name limit ${limit}`.execute(db)
  return rows
}

/**
 * Artists whose name contains `text`, most videos first.
 *
 * Scans the `topScanned` artists with the most videos; if that yields fewer than `limit` rows, searches the gram index.
 */
export async function searchArtists(
  db: Queries,
  text: string,
  limit: number,
  topScanned = TOP_ARTISTS_SCANNED,
): Promise<ArtistHit[]> {
  if (!isSearchable(text)) return []
  const pattern = likePattern(text)
  const { rows: scanned } = await sql<ArtistHit>`
    select name, video_count from (
      select name, document, video_count from artists where video_count > 0
      order by video_count desc, name limit ${topScanned}
    ) top
    where document like lower(${pattern})
    order by video_count desc, name limit ${limit}`.execute(db)
  if (scanned.length === limit) return scanned
  const { rows } = await sql<ArtistHit>`
    select name, video_count from search_artists(${text}, ${pattern}, ${limit})`.execute(db)
  return rows
}
