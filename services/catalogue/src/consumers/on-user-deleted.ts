import type { Envelope } from '@looptide/contracts/events'
import { BATCH_ROWS } from '@looptide/service-kit/db/batches'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx } from '../db/schema.ts'
import { deletePlaylistsOf } from '../features/playlists/user-playlist-repository.ts'
import { deleteRestrictionsOf } from '../features/shared/restriction-repository.ts'
import { deleteSubmitter } from '../features/submissions/reviewed-video-repository.ts'
import { forgetAuthor } from '../features/videos/user-trace-repository.ts'
import { submissionChanged } from '../features/videos/video-events.ts'
import { deleteViewMarksOf } from '../features/videos/view-repository.ts'

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
  await deletePlaylistsOf(trx, userId)
  await deleteViewMarksOf(trx, userId)
  await deleteRestrictionsOf(trx, userId)
  for (let hasMore = true; hasMore; ) {
    const batch = await deleteSubmitter(trx, userId, BATCH_ROWS)
    await appendEvents(trx, batch.deletedIds.map(submissionChanged), envelope)
    hasMore = batch.hasMore
  }
  await forgetAuthor(trx, userId)
}
