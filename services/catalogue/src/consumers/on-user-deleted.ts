import type { Envelope } from '@looptide/contracts/events'
import { BATCH_ROWS, inBatches } from '@looptide/service-kit/db/batches'
import { deleteWithAccount } from '@looptide/service-kit/events/account-deletion'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import { sql } from 'kysely'
import type { CatalogueTrx, Database } from '../db/schema.ts'
import { tables } from '../db/tables.ts'
import { deleteSubmitter } from '../features/submissions/reviewed-videos.ts'
import { submissionChanged } from '../features/videos/video-events.ts'

export const onUserDeleted = deleteWithAccount<Database, typeof tables>(tables, {
  playlists: (trx, { data }) => deletePlaylists(trx, data.userId),
  submissions: deleteSubmissions,
})

/** Deletes the undecided videos that only this user submitted. Accepted videos stay in the library. */
async function deleteSubmissions(
  trx: CatalogueTrx,
  envelope: Envelope<'auth.user.deleted.v1'>,
): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const batch = await deleteSubmitter(trx, envelope.data.userId, BATCH_ROWS)
    await appendEvents(trx, batch.deletedIds.map(submissionChanged), envelope)
    hasMore = batch.hasMore
  }
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
