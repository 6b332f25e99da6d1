import type { Envelope } from '@looptide/contracts/events'
import { BATCH_ROWS, inBatches } from '@looptide/service-kit/db/batches'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import { sql } from 'kysely'
import type { CatalogueTrx } from '../db/schema.ts'
import { deleteSubmitter } from '../features/submissions/reviewed-videos.ts'
import { submissionChanged } from '../features/videos/video-events.ts'

/**
 * Deletes the user's playlists, views and restrictions, and the undecided videos that only this user submitted. Accepted
 * videos stay in the library without the user's id. Works in batches, because one statement over all rows of a user could
 * exceed the statement timeout.
 */
export async function onUserDeleted(
  trx: CatalogueTrx,
  envelope: Envelope<'auth.user.deleted.v1'>,
): Promise<void> {
  const { userId } = envelope.data
  await deletePlaylists(trx, userId)
  await inBatches((limit) =>
    sql`delete from view_marks where ctid = any(array(
      select ctid from view_marks where viewer_id = ${userId} limit ${limit}))`.execute(trx),
  )
  await inBatches((limit) =>
    sql`delete from restricted_users where ctid = any(array(
      select ctid from restricted_users where user_id = ${userId} limit ${limit}))`.execute(trx),
  )
  for (let hasMore = true; hasMore; ) {
    const batch = await deleteSubmitter(trx, userId, BATCH_ROWS)
    await appendEvents(trx, batch.deletedIds.map(submissionChanged), envelope)
    hasMore = batch.hasMore
  }
  await inBatches((limit) =>
    sql`update submissions set decided_by = null where video_id = any(array(
      select video_id from submissions where decided_by = ${userId} limit ${limit}))`.execute(trx),
  )
  await inBatches((limit) =>
    sql`update videos set user_id = null where id = any(array(
      select id from videos where user_id = ${userId} limit ${limit}))`.execute(trx),
  )
  await inBatches((limit) =>
    sql`update deleted_videos set user_id = null where id = any(array(
      select id from deleted_videos where user_id = ${userId} limit ${limit}))`.execute(trx),
  )
}

/** Deactivates the playlists first: the count trigger skips items of inactive playlists. Then deletes items, then playlists. */
async function deletePlaylists(trx: CatalogueTrx, userId: string): Promise<void> {
  await inBatches((limit) =>
    sql`update youtube_playlists set is_active = false where id = any(array(
      select id from youtube_playlists where user_id = ${userId} and is_active limit ${limit}))`.execute(trx),
  )
  await inBatches((limit) =>
    sql`delete from youtube_playlist_items where id = any(array(
      select i.id from youtube_playlists p join youtube_playlist_items i on i.playlist_id = p.id
      where p.user_id = ${userId} limit ${limit}))`.execute(trx),
  )
  await inBatches((limit) =>
    sql`delete from deleted_playlist_items where id = any(array(
      select i.id from youtube_playlists p join deleted_playlist_items i on i.playlist_id = p.id
      where p.user_id = ${userId} limit ${limit}))`.execute(trx),
  )
  await inBatches((limit) =>
    sql`delete from youtube_playlists where id = any(array(
      select id from youtube_playlists where user_id = ${userId} limit ${limit}))`.execute(trx),
  )
}
