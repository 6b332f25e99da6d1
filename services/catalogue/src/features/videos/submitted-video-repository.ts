import { MAX_TAGS } from '@looptide/contracts/http/videos'
import { sql } from 'kysely'
import type { CatalogueTrx, VideoRow } from '../../db/schema.ts'
import type { Candidate } from './new-videos.ts'

/** The values that a user who needs no review gave for a video under review. */
export interface GivenValues
  extends Pick<Candidate, 'artistName' | 'artistGiven' | 'genre' | 'tags' | 'startAtMs' | 'endAtMs'> {
  videoId: string
}

/**
 * Replaces the values that submitters gave for videos under review. Without a given artist, a submitter's artist becomes
 * the placeholder, and metadata is pending again, so that it can supply one; an artist from metadata stays. Tags of
 * followed lists stay as well, after the given ones. Returns the changed videos whose metadata is pending.
 */
export async function replaceSubmitted(
  trx: CatalogueTrx,
  given: readonly GivenValues[],
): Promise<VideoRow[]> {
  if (given.length === 0) return []
  const rows = given.map(({ videoId, artistName, artistGiven, genre, tags, startAtMs, endAtMs }) => ({
    video_id: videoId,
    artist_name: artistName,
    artist_given: artistGiven,
    genre,
    tags,
    start_at_ms: startAtMs,
    end_at_ms: endAtMs,
  }))
  const changed = await sql<VideoRow>`
    update videos set
      artist_name = case when given.artist_given or videos.artist_given then given.artist_name else videos.artist_name end,
      artist_given = given.artist_given,
      genre = given.genre,
      tags = (given.tags || array(
        select tag from unnest(videos.tags) with ordinality as existing (tag, position)
        where lower(tag) <> all (select lower(other) from unnest(given.tags) other)
        order by position
      ))[:${sql.lit(MAX_TAGS)}],
      start_at_ms = given.start_at_ms,
      end_at_ms = given.end_at_ms,
      metadata_status = case
        when videos.artist_given and not given.artist_given and videos.metadata_status = 'resolved' then 'pending'
        else videos.metadata_status
      end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
      video_id uuid, artist_name text, artist_given boolean, genre text, tags text[], start_at_ms integer, end_at_ms integer
    )
    where videos.id = given.video_id and videos.review_state is not null
    returning videos.*`.execute(trx)
  return changed.rows.filter((row) => row.metadataStatus === 'pending')
}
