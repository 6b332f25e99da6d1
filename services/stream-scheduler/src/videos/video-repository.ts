import type { Video } from '@looptide/contracts/http/videos'
import { inBatches } from '@looptide/service-kit/batches'
import { sql } from 'kysely'
import type { Store, Trx } from '../db/schema.ts'

/** What a video's arrival or change means for the timelines. */
interface Applied {
  /** Its text or length, or whether it may be played, is another now. */
  changed: boolean
  playable: boolean
}

/**
 * Takes over what the catalogue says of a video, unless something newer is known. `eventVersion` is the event's
 * aggregate version; 0 for a video read from a list, which never overrides an event. A video under review is not
 * taken over, whoever sent it: it must not be on any channel.
 */
export async function applyVideo(trx: Trx, video: Video, eventVersion: number): Promise<Applied> {
  if (video.review !== undefined) return { changed: false, playable: false }
  const before = await trx
    .selectFrom('videos')
    .select(['version', 'playable'])
    .where('id', '=', video.id)
    .executeTakeFirst()
  const { rows } = await sql<{ version: number; playable: boolean }>`
    insert into videos as known (id, title, artist_name, description, genre, duration_ms, duration_assumed,
      thumbnail_url, video_url, youtube_id, is_public, metadata_status, created_at, event_version)
    values (${video.id}, ${video.title}, ${video.artistName}, ${video.description}, ${video.genre},
      ${video.durationMs}, ${video.durationAssumed}, ${video.thumbnailUrl}, ${video.videoUrl}, ${video.youtubeId},
      ${video.isPublic}, ${video.metadataStatus}, ${video.createdAt}, ${eventVersion})
    on conflict (id) do update set
      title = excluded.title, artist_name = excluded.artist_name, description = excluded.description,
      genre = excluded.genre, duration_ms = excluded.duration_ms, duration_assumed = excluded.duration_assumed,
      thumbnail_url = excluded.thumbnail_url, video_url = excluded.video_url, youtube_id = excluded.youtube_id,
      is_public = excluded.is_public, metadata_status = excluded.metadata_status,
      event_version = excluded.event_version,
      version = known.version + case when
        (known.title, known.artist_name, known.description, known.genre, known.duration_ms,
         known.thumbnail_url, known.video_url, known.youtube_id, known.is_public)
        is distinct from
        (excluded.title, excluded.artist_name, excluded.description, excluded.genre, excluded.duration_ms,
         excluded.thumbnail_url, excluded.video_url, excluded.youtube_id, excluded.is_public) then 1 else 0 end
    where known.event_version < excluded.event_version
    returning version, playable`.execute(trx)
  const after = rows[0]
  if (after === undefined) return { changed: false, playable: before?.playable ?? false }
  const changed =
    before === undefined
      ? after.playable
      : before.version !== after.version || before.playable !== after.playable
  return { changed, playable: after.playable }
}

/** The catalogue has no such video any more. It stays while programmes show it, and leaves every playlist. */
export async function removeVideo(trx: Trx, videoId: string, eventVersion: number): Promise<void> {
  await trx
    .updateTable('videos')
    .set({ removedAt: new Date(), eventVersion })
    .where('id', '=', videoId)
    .where('removedAt', 'is', null)
    .execute()
  await trx.deleteFrom('channelPlaylists').where('videoId', '=', videoId).execute()
}

/** Has the catalogue's list been read to its end? */
export async function wasBackfilled(db: Store): Promise<boolean> {
  const row = await db
    .selectFrom('backfills')
    .select('name')
    .where('name', '=', 'catalogue')
    .executeTakeFirst()
  return row !== undefined
}

export async function markBackfilled(db: Store): Promise<void> {
  await db
    .insertInto('backfills')
    .values({ name: 'catalogue' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes videos that were removed 8 days ago and that no programme refers to, in batches. */
export async function pruneRemovedVideos(db: Store): Promise<void> {
  await inBatches((limit) =>
    sql`delete from videos where id = any(array(
      select id from videos v where v.removed_at < now() - interval '8 days'
        and not exists (select from programmes p where p.video_id = v.id)
      order by v.removed_at limit ${limit}))`.execute(db),
  )
}
