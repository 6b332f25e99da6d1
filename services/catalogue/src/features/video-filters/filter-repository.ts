import type { VideoFilter } from '@looptide/contracts/http/video-filters'
import { sql } from 'kysely'
import type { Queries, VideoFilterRow } from '../../db/schema.ts'

/** All saved filters, by name without case. */
export function listFilters(db: Queries): Promise<VideoFilterRow[]> {
  return db.selectFrom('videoFilters').selectAll().orderBy(sql`lower(name)`).execute()
}

/** Serialises changes of the saved filters, so that names are unique and their number is limited. */
export async function lockFilters(db: Queries): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('catalogue.video_filters'))`.execute(db)
}

/** Stores a saved filter. Fails if its name is taken. */
export async function insertFilter(
  db: Queries,
  row: { id: string; name: string; filter: VideoFilter; createdBy: string | null },
): Promise<VideoFilterRow> {
  return db
    .insertInto('videoFilters')
    .values({ ...row, filter: JSON.stringify(row.filter) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes a saved filter, which must exist. Fails if its name is taken. */
export async function updateFilter(
  db: Queries,
  id: string,
  { name, filter }: { name: string; filter: VideoFilter },
): Promise<VideoFilterRow> {
  return db
    .updateTable('videoFilters')
    .set({ name, filter: JSON.stringify(filter), updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a saved filter. Returns its row; undefined if there was none. */
export async function deleteFilter(db: Queries, id: string): Promise<VideoFilterRow | undefined> {
  return db.deleteFrom('videoFilters').where('id', '=', id).returningAll().executeTakeFirst()
}
