import type { Envelope } from '@looptide/contracts/events'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx } from '../db/schema.ts'
import { updatedEvents } from '../features/videos/video-events.ts'
import { lockVideo, patchVideo } from '../features/videos/video-repository.ts'

/**
 * Stores a duration on which viewers' players agree, unless metadata has confirmed one. The duration stays marked as
 * assumed, so later reports or metadata can correct it.
 */
export async function onDurationLearned(
  trx: CatalogueTrx,
  envelope: Envelope<'stream.duration.learned.v1'>,
): Promise<void> {
  const { videoId, durationMs } = envelope.data
  const row = await lockVideo(trx, videoId)
  if (row === undefined || !row.durationAssumed || row.durationMs === durationMs) return
  await appendEvents(trx, updatedEvents([await patchVideo(trx, videoId, { durationMs })]), envelope)
}
