import { JOB_HOURS } from '@looptide/contracts/http/video-jobs'
import { inBatches } from '@looptide/service-kit/db/batches'
import { sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { lockArtistsAndTotals } from '../videos/video-count-repository.ts'

/** The columns that a bulk edit can change. */
export type BulkColumn =
  | ('title' | 'titleGiven' | 'artistName' | 'artistGiven')
  | ('genre' | 'category' | 'tags')

/** A locked row of `videos`, and what an edit makes of it. */
export interface RowEdit {
  before: VideoRow
  after: VideoRow
}

/** Finds accepted videos and locks them until the transaction ends. */
export function lockAccepted(db: Queries, ids: readonly string[]): Promise<VideoRow[]> {
  return db
    .selectFrom('videos')
    .selectAll()
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('reviewState', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Writes the changed columns of locked rows, stores the old values under `editId`, the id of the job, and returns the new rows. */
export async function editRows(db: Queries, edits: readonly RowEdit[], editId: string): Promise<VideoRow[]> {
  await lockArtistsAndTotals(
    db,
    edits.flatMap(({ before, after }) => [before.artistName, after.artistName]),
  )
  await db
    .insertInto('videoEdits')
    .values(edits.map(({ before, after }) => ({ editId, videoId: before.id, ...editValues(before, after) })))
    .execute()
  const { rows } = await sql<VideoRow>`
    update videos v set title = n.title, title_given = n."titleGiven", artist_name = n."artistName",
      artist_given = n."artistGiven", genre = n.genre, category = n.category, tags = n.tags
    from jsonb_to_recordset(${JSON.stringify(edits.map(({ after }) => editableColumns(after)))}::jsonb) as n (
      id uuid, title text, "titleGiven" boolean, "artistName" text, "artistGiven" boolean, genre text, category text,
      tags text[]
    )
    where v.id = n.id and v.id = any(${edits.map(({ before }) => before.id)}::uuid[])
    returning v.*`.execute(db)
  return rows
}

const editableColumns = (row: VideoRow): Pick<VideoRow, 'id' | BulkColumn> => ({
  id: row.id,
  title: row.title,
  titleGiven: row.titleGiven,
  artistName: row.artistName,
  artistGiven: row.artistGiven,
  genre: row.genre,
  category: row.category,
  tags: row.tags,
})

const editValues = (before: VideoRow, after: VideoRow) => ({
  oldTitle: before.title,
  oldTitleGiven: before.titleGiven,
  newTitle: after.title,
  newTitleGiven: after.titleGiven,
  oldArtistName: before.artistName,
  oldArtistGiven: before.artistGiven,
  oldGenre: before.genre,
  oldCategory: before.category,
  newArtistName: after.artistName,
  newArtistGiven: after.artistGiven,
  newGenre: after.genre,
  newCategory: after.category,
  oldTags: before.tags,
  newTags: after.tags,
})

/** Ids of the next `limit` videos of an edit that were not undone yet. */
export async function editedVideos(db: Queries, editId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('videoEdits')
    .select('videoId')
    .where('editId', '=', editId)
    .orderBy('videoId')
    .limit(limit)
    .execute()
  return rows.map((row) => row.videoId)
}

/** The number of videos of an edit that were not undone yet. */
export async function countEdits(db: Queries, editId: string): Promise<number> {
  const { count } = await db
    .selectFrom('videoEdits')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('editId', '=', editId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The first `limit` videos of an edit as they were before it, in the order of their ids. */
export function videosBeforeEdit(db: Queries, editId: string, limit: number) {
  return db
    .selectFrom('videoEdits as e')
    .innerJoin('videos as v', 'v.id', 'e.videoId')
    .select(['v.id', 'e.oldArtistName as artistName', 'e.oldGenre as genre', 'e.oldCategory as category'])
    .select((eb) => [
      eb.fn.coalesce('e.oldTitle', 'v.title').as('title'),
      eb.fn.coalesce('e.oldTags', 'v.tags').as('tags'),
    ])
    .where('e.editId', '=', editId)
    .orderBy('e.videoId')
    .limit(limit)
    .execute()
}

/**
 * Restores the old values of these videos, except those changed since the edit, and removes all of them from the edit.
 * Returns the new rows. The caller has locked the videos.
 */
export async function undoRows(db: Queries, ids: readonly string[], editId: string): Promise<VideoRow[]> {
  const edits = await db
    .deleteFrom('videoEdits')
    .where('editId', '=', editId)
    .where('videoId', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .returningAll()
    .execute()
  await lockArtistsAndTotals(
    db,
    edits.flatMap((edit) => [edit.oldArtistName, edit.newArtistName]),
  )
  const { rows: undone } = await sql<VideoRow>`
    update videos v set title = coalesce(e."oldTitle", v.title),
      title_given = coalesce(e."oldTitleGiven", v.title_given), artist_name = e."oldArtistName",
      artist_given = e."oldArtistGiven", genre = e."oldGenre", category = e."oldCategory",
      tags = coalesce(e."oldTags", v.tags)
    from jsonb_to_recordset(${JSON.stringify(edits)}::jsonb) as e (
      "videoId" uuid, "oldTitle" text, "oldTitleGiven" boolean, "newTitle" text, "newTitleGiven" boolean,
      "oldArtistName" text, "oldArtistGiven" boolean, "oldGenre" text, "oldCategory" text, "oldTags" text[],
      "newArtistName" text, "newArtistGiven" boolean, "newGenre" text, "newCategory" text, "newTags" text[]
    )
    where v.id = e."videoId" and v.id = any(${[...ids]}::uuid[])
      and (v.title, v.title_given, v.artist_name, v.artist_given, v.genre, v.category, v.tags) is not distinct from
        (coalesce(e."newTitle", v.title), coalesce(e."newTitleGiven", v.title_given), e."newArtistName",
          e."newArtistGiven", e."newGenre", e."newCategory", coalesce(e."newTags", v.tags))
    returning v.*`.execute(db)
  return undone
}

/** Deletes, in batches, edits that can no longer be undone: those of deleted jobs, or of the previous release. */
export async function pruneEdits(db: Queries, signal: AbortSignal): Promise<void> {
  await inBatches(
    (limit) =>
      sql`delete from video_edits where ctid = any(array(
        select ctid from video_edits e
        where edited_at < now() - make_interval(hours => ${JOB_HOURS})
          and not exists (select from video_jobs j where j.id = e.edit_id)
        limit ${limit}))`.execute(db),
    signal,
  )
}
