import { sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'

/** The columns that metadata from YouTube can change. */
export const METADATA_COLUMNS = [
  ...(['title', 'artistName', 'description', 'thumbnailUrl'] as const),
  ...(['durationMs', 'durationAssumed', 'metadataStatus', 'unavailableReason'] as const),
] as const
export type MetadataColumn = (typeof METADATA_COLUMNS)[number]

/** Writes the columns of metadata of locked rows in one statement, and returns the new rows. */
export async function writeMetadata(
  db: Queries,
  videos: readonly Pick<VideoRow, 'id' | MetadataColumn>[],
): Promise<VideoRow[]> {
  const { rows } = await sql<VideoRow>`
    update videos v set title = n.title, artist_name = n."artistName", description = n.description,
      thumbnail_url = n."thumbnailUrl", duration_ms = n."durationMs", duration_assumed = n."durationAssumed",
      metadata_status = n."metadataStatus", unavailable_reason = n."unavailableReason"
    from jsonb_to_recordset(${JSON.stringify(videos, ['id', ...METADATA_COLUMNS])}::jsonb) as n (
      id uuid, title text, "artistName" text, description text, "thumbnailUrl" text, "durationMs" integer,
      "durationAssumed" boolean, "metadataStatus" text, "unavailableReason" text
    )
    where v.id = n.id and v.id = any(${videos.map(({ id }) => id)}::uuid[])
    returning v.*`.execute(db)
  return rows
}
