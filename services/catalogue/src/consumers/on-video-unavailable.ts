import type { Envelope } from '@looptide/contracts/events'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx } from '../db/schema.ts'
import { setReminder } from '../features/metadata/reminder-repository.ts'
import { updatedEvents } from '../features/videos/video-events.ts'
import { lockByYoutubeId, patchVideo } from '../features/videos/video-repository.ts'

/**
 * Marks a video that YouTube does not show as unavailable, stores the reason, and publishes an update. A premiere or live
 * stream is looked up again.
 */
export async function onVideoUnavailable(
  trx: CatalogueTrx,
  envelope: Envelope<'metadata.video.unavailable.v1'>,
): Promise<void> {
  const { youtubeId, reason, lookUpAgainAt } = envelope.data
  const row = await lockByYoutubeId(trx, youtubeId)
  if (row === undefined) return
  if (row.metadataStatus !== 'unavailable' || row.unavailableReason !== reason) {
    const patch = { metadataStatus: 'unavailable' as const, unavailableReason: reason }
    await appendEvents(trx, updatedEvents([await patchVideo(trx, row.id, patch)]), envelope)
  }
  // After the patch, whose trigger deletes the reminder.
  await setReminder(trx, row.id, lookUpAgainAt === undefined ? null : new Date(lookUpAgainAt))
}
