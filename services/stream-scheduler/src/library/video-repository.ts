import type { PublishedVideo } from '@looptide/contracts/events/catalogue'
import { MAX_PLAYLIST_ITEMS } from '@looptide/contracts/http/channel-playlists'
import { DELETED_RETENTION_DAYS } from '@looptide/contracts/http/deleted-videos'
import type { UnplayableVideo } from '@looptide/contracts/http/simulation'
import type { Video } from '@looptide/contracts/http/videos'
import type { LibraryVideo } from '@looptide/planner/library'
import { inBatches } from '@looptide/service-kit/db/batches'
import { sql } from 'kysely'
import { isPlayable } from '../db/is-playable.ts'
import { playedFromMs, playedMs } from '../db/played-ms.ts'
import type { Store, Trx, VideoRow } from '../db/schema.ts'

/**
 * Inserts or updates these videos in one statement, unless a newer version is stored. Returns the ids of the videos whose
 * texts, tags, category, played part or playability changed, which affects timelines. `eventVersion` is the aggregate
 * version of the event, or 0 for videos read from a list, which never override an event. Videos under review are
 * skipped, since no channel may play them. A programme that has started keeps its position in the media, although the
 * start trim point has moved. Numbers of likes are taken for new videos only: {@link setLikeCounts} changes them.
 */
export async function upsertVideos(
  trx: Trx,
  videos: readonly PublishedVideo[],
  eventVersion: number,
): Promise<string[]> {
  const accepted = new Map(videos.flatMap((video) => (video.review === undefined ? [[video.id, video]] : [])))
  if (accepted.size === 0) return []
  const { rows } = await sql<{ id: string }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify([...accepted.values()])}::jsonb) as v (id uuid, title text,
        "artistName" text, description text, genre text, "durationMs" integer, "durationAssumed" boolean,
        "thumbnailUrl" text, "videoUrl" text, "youtubeId" text, "isPublic" boolean, "metadataStatus" text,
        "createdAt" timestamptz, category text, tags text[], "viewCount" bigint, "startAtMs" integer,
        "endAtMs" integer, "likeCount" integer)
    ), before as (
      select v.id, v.version, v.playable, ${playedFromMs(sql.raw('v'))} as from_ms from videos v where v.id = any(${[...accepted.keys()]}::uuid[])
    ), applied as (
      insert into videos as known (id, title, artist_name, description, genre, duration_ms, duration_assumed,
        thumbnail_url, video_url, youtube_id, is_public, metadata_status, created_at, event_version, category, tags,
        view_count, start_at_ms, end_at_ms, like_count)
      select id, title, "artistName", description, genre, "durationMs", "durationAssumed", "thumbnailUrl", "videoUrl",
        "youtubeId", "isPublic", "metadataStatus", "createdAt", ${eventVersion}, category, coalesce(tags, '{}'),
        "viewCount", coalesce("startAtMs", 0), "endAtMs", coalesce("likeCount", 0)
      from given order by id
      on conflict (id) do update set
        title = excluded.title, artist_name = excluded.artist_name, description = excluded.description,
        genre = excluded.genre, duration_ms = excluded.duration_ms, duration_assumed = excluded.duration_assumed,
        thumbnail_url = excluded.thumbnail_url, video_url = excluded.video_url, youtube_id = excluded.youtube_id,
        is_public = excluded.is_public, metadata_status = excluded.metadata_status,
        category = excluded.category, tags = excluded.tags, view_count = excluded.view_count,
        start_at_ms = excluded.start_at_ms, end_at_ms = excluded.end_at_ms,
        event_version = excluded.event_version, removed_at = null,
        version = known.version + case when
          (known.title, known.artist_name, known.description, known.genre, known.duration_ms,
           known.thumbnail_url, known.video_url, known.youtube_id, known.is_public, known.category, known.tags,
           known.start_at_ms, known.end_at_ms)
          is distinct from
          (excluded.title, excluded.artist_name, excluded.description, excluded.genre, excluded.duration_ms,
           excluded.thumbnail_url, excluded.video_url, excluded.youtube_id, excluded.is_public, excluded.category,
           excluded.tags, excluded.start_at_ms, excluded.end_at_ms) then 1 else 0 end
      where known.event_version < excluded.event_version
      returning known.id, known.version, known.playable, ${playedFromMs(sql.raw('known'))} as from_ms
    ), moved as (
      update programmes p set offset_ms = p.offset_ms + b.from_ms - a.from_ms
      from applied a join before b on b.id = a.id, channels c
      where a.from_ms <> b.from_ms and p.video_id = a.id and c.id = p.channel_id and p.seq <= c.aired_seq
    )
    select a.id from applied a left join before b on b.id = a.id
    where case when b.id is null then a.playable
      else (a.version, a.playable) is distinct from (b.version, b.playable) end`.execute(trx)
  return rows.map((row) => row.id)
}

/**
 * Marks these videos as removed and deletes them from every playlist. The rows stay while programmes refer to them; the
 * playlist items are kept for {@link restoreItems}.
 */
export async function removeVideos(
  trx: Trx,
  videoIds: readonly string[],
  eventVersion: number,
): Promise<void> {
  const isOneOf = sql<string>`any(${videoIds}::uuid[])`
  await trx
    .updateTable('videos')
    .set({ removedAt: new Date(), eventVersion })
    .where('id', '=', isOneOf)
    .where('removedAt', 'is', null)
    .execute()
  await sql`
    with deleted as (delete from channel_playlists where video_id = ${isOneOf} returning *)
    insert into removed_playlist_items (id, channel_id, video_id, position, created_by, created_at)
    select id, channel_id, video_id, position, created_by, created_at from deleted`.execute(trx)
}

/** Returns restored videos to their former positions in playlists, up to the maximum length of a playlist. */
export async function restoreItems(trx: Trx, videoIds: readonly string[]): Promise<void> {
  // Waits for transactions that delete a channel, with which its items are deleted.
  await sql`
    select from channels where id in (
      select channel_id from removed_playlist_items where video_id = any(${videoIds}::uuid[])
    )
    order by id
    for key share`.execute(trx)
  await sql`
    with restored as (
      delete from removed_playlist_items r using videos v
      where r.video_id = any(${videoIds}::uuid[]) and v.id = r.video_id and v.removed_at is null
      returning r.*
    ), numbered as (
      select restored.*, row_number() over (partition by channel_id order by position, id) as number from restored
    )
    insert into channel_playlists (id, channel_id, video_id, position, created_by, created_at)
    select id, channel_id, video_id, position, created_by, created_at from numbered n
    where n.number + (select count(*) from channel_playlists p where p.channel_id = n.channel_id)
      <= ${MAX_PLAYLIST_ITEMS}`.execute(trx)
}

/** Deletes the removed playlist items of videos that can no longer be restored, in batches. */
export async function pruneRemovedItems(db: Store): Promise<void> {
  await inBatches((limit) =>
    sql`delete from removed_playlist_items where id = any(array(
      select id from removed_playlist_items where removed_at < now() - make_interval(days => ${DELETED_RETENTION_DAYS + 1})
      order by removed_at limit ${limit}))`.execute(db),
  )
}

/**
 * Fills tags, category, view count and trim points of videos that were stored by a release without these columns. Rows
 * in which an event has set one of them are left as they are. Returns the ids of videos whose played part changed.
 */
export async function fillTagsAndTrim(trx: Trx, videos: readonly Video[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with filled as (
      update videos v set category = f.category, tags = f.tags, view_count = f."viewCount",
        start_at_ms = f."startAtMs", end_at_ms = f."endAtMs",
        version = v.version + case when (f."startAtMs", f."endAtMs") is distinct from (0, null) then 1 else 0 end
      from jsonb_to_recordset(${JSON.stringify(videos)}::jsonb) as f (id uuid, category text, tags text[],
        "viewCount" bigint, "startAtMs" integer, "endAtMs" integer)
      where v.id = f.id and v.category is null and v.tags = '{}' and v.view_count = 0 and v.start_at_ms = 0
        and v.end_at_ms is null
        and (f.category, f.tags, f."viewCount", f."startAtMs", f."endAtMs") is distinct from (null, '{}', 0, 0, null)
      returning v.id, v.start_at_ms, v.end_at_ms
    )
    select id from filled where start_at_ms > 0 or end_at_ms is not null`.execute(trx)
  return rows.map((row) => row.id)
}

/** The completed reading of the catalogue's list, with tags and trim points. */
const BACKFILL = 'catalogue with tags and trim points'

/** Whether the catalogue's list has been read completely. */
export async function isBackfilled(db: Store): Promise<boolean> {
  const row = await db.selectFrom('backfills').select('name').where('name', '=', BACKFILL).executeTakeFirst()
  return row !== undefined
}

/** Stores that the projection of videos has been filled once. */
export async function markBackfilled(db: Store): Promise<void> {
  await db
    .insertInto('backfills')
    .values({ name: BACKFILL })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes videos that were removed more than 8 days ago and that no programme refers to, in batches. */
export async function pruneRemovedVideos(db: Store): Promise<void> {
  await inBatches((limit) =>
    sql`delete from videos where id = any(array(
      select id from videos v where v.removed_at < now() - interval '8 days'
        and not exists (select from programmes p where p.video_id = v.id)
      order by v.removed_at limit ${limit}))`.execute(db),
  )
}

export interface VideoText {
  title: string
  artistName: string
}

/** Titles and artists by video id. */
export async function videoTexts(db: Store, ids: readonly string[]): Promise<Map<string, VideoText>> {
  const rows = await db
    .selectFrom('videos')
    .select(['id', 'title', 'artistName'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, title, artistName }) => [id, { title, artistName }]))
}

/** A playable video; `version` changes with every change of its row. */
export interface LibraryRow extends Omit<LibraryVideo, 'genre'> {
  genre: string | null
  version: number
}

/** All playable videos. */
export async function readLibrary(db: Store): Promise<LibraryRow[]> {
  const { rows } = await sql<LibraryRow>`
      select v.id, v.title, v.artist_name, v.category, v.genre, v.tags, ${playedMs} as duration_ms,
             (extract(epoch from v.created_at) * 1000)::bigint as added_at_ms,
             v.like_count as likes, v.is_public as is_listed, v.version
      from videos v where ${isPlayable}`.execute(db)
  return rows
}

/** `checksum` differs when a playable video or its version differs, `likes` when a number of likes differs. */
export async function readLibraryChecksum(db: Store): Promise<{ checksum: string; likes: number }> {
  const { rows } = await sql<{ checksum: string; likes: number }>`
      select coalesce(sum(uuid_hash_extended(id, version)), 0)::text || ':' || count(*) as checksum,
             coalesce(max(like_version), 0) as likes
      from videos where ${isPlayable}`.execute(db)
  return rows[0] ?? { checksum: '', likes: 0 }
}

/** Stores the numbers of likes of videos, unless a later version is stored. Rows are locked in the order of their ids. */
export async function setLikeCounts(
  trx: Trx,
  counts: readonly { videoId: string; likeCount: number; version: number }[],
): Promise<void> {
  const ids = counts.map(({ videoId }) => videoId)
  await sql`select from videos where id = any(${ids}::uuid[]) order by id for no key update`.execute(trx)
  await sql`
    update videos v set like_count = given.like_count, like_version = given.like_version
    from unnest(${ids}::uuid[], ${counts.map(({ likeCount }) => likeCount)}::integer[],
      ${counts.map(({ version }) => version)}::bigint[]) as given (id, like_count, like_version)
    where v.id = given.id and v.like_version < given.like_version`.execute(trx)
}

/** Maximum number of unplayable videos listed. */
const MAX_UNPLAYABLE = 100

/** The videos of `ids` that cannot be played, with the reasons, by title. */
export async function unplayableVideos(
  db: Store,
  ids: readonly string[],
): Promise<{ unplayable: UnplayableVideo[]; unplayableCount: number }> {
  const { rows } = await sql<UnplayableVideo>`
    select id as video_id, title, artist_name,
           case when removed_at is not null then 'removed'
                when quarantined_at is not null then 'quarantined'
                when metadata_status = 'unavailable' then 'unavailable'
                when playable then 'untitled'
                else 'unsupported' end as reason
    from videos where id = any(${ids}::uuid[]) and not ${isPlayable}
    order by title, id`.execute(db)
  return { unplayable: rows.slice(0, MAX_UNPLAYABLE), unplayableCount: rows.length }
}

/**
 * The videos among `videoIds` that can be played and for which fewer than `maxViewers` viewers have reported an error, in any
 * order.
 */
export async function readReliableVideos(
  db: Store,
  videoIds: readonly string[],
  maxViewers: number,
): Promise<VideoRow[]> {
  if (videoIds.length === 0) return []
  return db
    .selectFrom('videos')
    .selectAll()
    .where('id', 'in', videoIds)
    .where(isPlayable)
    .where(
      sql<number>`(select count(*) from playback_reports r where r.video_id = videos.id and r.kind = 'error')`,
      '<',
      maxViewers,
    )
    .execute()
}

/** A public video that channels can play. */
export const findRequestable = (db: Store, videoId: string): Promise<VideoRow | undefined> =>
  db
    .selectFrom('videos')
    .selectAll()
    .where('id', '=', videoId)
    .where('isPublic', '=', true)
    .where(isPlayable)
    .executeTakeFirst()

/** The number of videos put into quarantine since `since`, counted up to `limit`. */
export async function countQuarantined(trx: Store, since: Date, limit: number): Promise<number> {
  const rows = await trx
    .selectFrom('videos')
    .select('id')
    .where('quarantinedAt', '>=', since)
    .limit(limit)
    .execute()
  return rows.length
}
