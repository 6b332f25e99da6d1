import type { Envelope } from '@looptide/contracts/events'
import { BATCH_ROWS, inBatches } from '@looptide/service-kit/batches'
import { appendEvents } from '@looptide/service-kit/outbox'
import { sql } from 'kysely'
import type { CatalogueTrx } from '../db/schema.ts'
import { forgetSubmitter } from '../features/submissions/reviewed-videos.ts'
import { submissionChanged } from '../features/videos/video-events.ts'

/**
 * Their playlists go with them, and what only they submitted and nobody decided. Accepted videos stay in the library,
 * without their name. In batches: a user may have more rows than one statement changes in time.
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
  for (let isMore = true; isMore; ) {
    const batch = await forgetSubmitter(trx, userId, BATCH_ROWS)
    await appendEvents(trx, batch.gone.map(submissionChanged), envelope)
    isMore = batch.isMore
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

/** The items first; those of an inactive playlist are not counted one by one. */
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
