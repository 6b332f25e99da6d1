import { sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { isListed } from '../videos/video-repository.ts'

/** How many of the newest videos are looked through one by one before an index is asked. */
const NEWEST = 1000
const MOST_PLAYED_ARTISTS = 2000

/** Separates the four texts of a document; no text holds it, nor the NUL that Postgres does not know. */
const UNSEARCHABLE = ['\0', '\u001f']
/** Whether any text of the library could contain this. */
export const isSearchable = (text: string): boolean => UNSEARCHABLE.every((sign) => !text.includes(sign))

/** `text` as a LIKE pattern that means exactly itself, anywhere. */
export const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`

export interface Found {
  videos: VideoRow[]
  artists: ArtistFound[]
}

export interface ArtistFound {
  name: string
  videoCount: number
}

/**
 * What a text finds: videos as {@link searchVideos} does, artists as {@link searchArtists} does, each at most as many
 * as `limits` says. An artist whose name contains the text has a video that does: where fewer videos were found than
 * asked for, these are all, and the artists are among theirs. A rare text costs no second search, an absent one nothing.
 */
export async function findByText(
  db: Queries,
  text: string,
  limits: { videos: number; artists: number },
): Promise<Found> {
  const videos = await searchVideos(db, text, limits.videos)
  const artists =
    videos.length < limits.videos
      ? await artistsOf(db, videos, text, limits.artists)
      : await searchArtists(db, text, limits.artists)
  return { videos, artists }
}

/**
 * Videos of viewers' lists whose title, artist, description or genre contains `text`, whatever the case, newest
 * first: the same as a plain ILIKE on each, at a flat cost.
 *
 * A frequent text is found among the newest videos at once; a rare one is quickly found by an index, but
 * slowly by looking. The planner cannot know which it is, so both are asked in turn (docs/performance.md,
 * "Search").
 */
export async function searchVideos(
  db: Queries,
  text: string,
  limit: number,
  newest = NEWEST,
): Promise<VideoRow[]> {
  if (!isSearchable(text)) return []
  const found = await sql<VideoRow>`
    select v.* from search_videos(${text}, ${likePattern(text)}, ${limit}, ${newest}) with ordinality as hit(id, place)
    join videos v on v.id = hit.id
    where is_listed(v.is_public, v.metadata_status)
    order by hit.place`.execute(db)
  return found.rows
}

/** The ids of at most `most` videos of viewers' lists that contain `text` as {@link searchVideos} means it, the newest. */
export async function matchingIds(db: Queries, text: string, most: number): Promise<string[]> {
  const found = await sql<{ id: string }>`
    select video_id as id from search_video_documents(${text}, ${likePattern(text)}, ${most})`.execute(db)
  return found.rows.map((row) => row.id)
}

/**
 * The ids of at most `most` other videos (private, or unavailable) that contain `text`, the newest. They are few and
 * have no document: of the newest `walked` each is looked at.
 */
export async function matchingUnlistedIds(
  db: Queries,
  text: string,
  most: number,
  walked: number,
): Promise<string[]> {
  const found = await sql<{ id: string }>`
    select id from (
      select id, title, artist_name, description, genre from videos where not ${isListed} and review_state is null
      order by created_at desc, id desc limit ${walked}
    ) hidden
    where video_document(title, artist_name, description, genre) like lower(${likePattern(text)})
    limit ${most}`.execute(db)
  return found.rows.map((row) => row.id)
}

/** Viewers' videos by exactly this artist, newest first. */
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

/** As {@link searchArtists}, of those of these videos. */
async function artistsOf(
  db: Queries,
  videos: readonly VideoRow[],
  text: string,
  limit: number,
): Promise<ArtistFound[]> {
  if (videos.length === 0) return []
  const names = [...new Set(videos.map(({ artistName }) => artistName))]
  const found = await sql<ArtistFound>`
    select name, video_count from artists
    where name = any(${names}) and document like lower(${likePattern(text)}) and video_count > 0
    order by video_count desc, name limit ${limit}`.execute(db)
  return found.rows
}

/** Artists whose name contains `text`, those with the most videos first. In the same two steps. */
export async function searchArtists(
  db: Queries,
  text: string,
  limit: number,
  mostPlayed = MOST_PLAYED_ARTISTS,
): Promise<ArtistFound[]> {
  if (!isSearchable(text)) return []
  const pattern = likePattern(text)
  const frequent = await sql<ArtistFound>`
    select name, video_count from (
      select name, document, video_count from artists where video_count > 0
      order by video_count desc, name limit ${mostPlayed}
    ) most_played
    where document like lower(${pattern})
    order by video_count desc, name limit ${limit}`.execute(db)
  if (frequent.rows.length === limit) return frequent.rows
  const found = await sql<ArtistFound>`
    select name, video_count from search_artists(${text}, ${pattern}, ${limit})`.execute(db)
  return found.rows
}
