import type { Envelope } from '@looptide/contracts/events'
import { appendEvents } from '@looptide/service-kit/outbox'
import type { CatalogueTrx } from '../db/schema.ts'
import { forgetPerson } from '../features/submissions/reviewed-videos.ts'
import { submissionChanged } from '../features/videos/video-events.ts'

/**
 * Their playlists go with them, and what only they submitted and nobody decided. Accepted videos stay in the library,
 * without their name.
 */
export async function onUserDeleted(
  trx: CatalogueTrx,
  envelope: Envelope<'auth.user.deleted.v1'>,
): Promise<void> {
  const { userId } = envelope.data
  await trx.deleteFrom('youtubePlaylists').where('userId', '=', userId).execute()
  await trx.deleteFrom('viewMarks').where('viewerId', '=', userId).execute()
  await trx.deleteFrom('restrictedUsers').where('userId', '=', userId).execute()
  const gone = await forgetPerson(trx, userId)
  await appendEvents(trx, gone.map(submissionChanged), envelope)
  await trx.updateTable('videos').set({ userId: null }).where('userId', '=', userId).execute()
}
