import type { Envelope } from '@looptide/contracts/events'
import type { CatalogueTrx } from '../db/schema.ts'

/** Their playlists go with them; the videos they added stay in the library, without their name. */
export async function onUserDeleted(
  trx: CatalogueTrx,
  envelope: Envelope<'auth.user.deleted.v1'>,
): Promise<void> {
  const { userId } = envelope.data
  await trx.deleteFrom('youtubePlaylists').where('userId', '=', userId).execute()
  await trx.deleteFrom('viewMarks').where('viewerId', '=', userId).execute()
  await trx.deleteFrom('restrictedUsers').where('userId', '=', userId).execute()
  await trx.updateTable('videos').set({ userId: null }).where('userId', '=', userId).execute()
}
