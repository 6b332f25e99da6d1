import type { Envelope } from '@looptide/contracts/events'
import { BATCH_ROWS } from '@looptide/service-kit/db/batches'
import { deleteWithAccount } from '@looptide/service-kit/events/account-deletion'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx, Database } from '../db/schema.ts'
import { tables } from '../db/tables.ts'
import { deletePlaylistsOf } from '../features/playlists/user-playlist-repository.ts'
import { deleteSubmitter } from '../features/submissions/reviewed-video-repository.ts'
import { submissionChanged } from '../features/videos/video-events.ts'

export const onUserDeleted = deleteWithAccount<Database, typeof tables>(tables, {
  playlists: (trx, { data }) => deletePlaylistsOf(trx, data.userId),
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
