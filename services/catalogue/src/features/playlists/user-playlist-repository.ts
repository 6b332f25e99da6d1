import { inBatches } from '@looptide/service-kit/db/batches'
import { sql } from 'kysely'
import type { Queries } from '../../db/schema.ts'

/**
 * Deletes all playlists of a user, in batches. Deactivates them first: the count trigger skips items of inactive playlists.
 * Then deletes items, then playlists.
 */
export async function deletePlaylistsOf(db: Queries, userId: string): Promise<void> {
  await inBatches((limit) =>
    sql`update youtube_playlists set is_active = false where id = any(array(
      select id from youtube_playlists where user_id = ${userId} and is_active limit ${limit}))`.execute(db),
  )
  await inBatches((limit) =>
    sql`delete from youtube_playlist_items where id = any(array(
      select i.id from youtube_playlists p join youtube_playlist_items i on i.playlist_id = p.id
      where p.user_id = ${userId} limit ${limit}))`.execute(db),
  )
  await inBatches((limit) =>
    sql`delete from deleted_playlist_items where id = any(array(
      select i.id from youtube_playlists p join deleted_playlist_items i on i.playlist_id = p.id
      where p.user_id = ${userId} limit ${limit}))`.execute(db),
  )
  await inBatches((limit) =>
    sql`delete from youtube_playlists where id = any(array(
      select id from youtube_playlists where user_id = ${userId} limit ${limit}))`.execute(db),
  )
}
