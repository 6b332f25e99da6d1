import type { Envelope } from '@looptide/contracts/events'
import { appendEvents } from '@looptide/service-kit/outbox'
import type { CatalogueTrx } from '../db/schema.ts'
import { updatedEvents } from '../features/videos/video-events.ts'
import { lockVideo, patchVideo } from '../features/videos/video-repository.ts'

/** Viewers' players know how long it is; that counts as long as the length is only assumed. */
export async function onDurationLearned(
  trx: CatalogueTrx,
  envelope: Envelope<'stream.duration.learned.v1'>,
): Promise<void> {
  const { videoId, durationMs } = envelope.data
  const row = await lockVideo(trx, videoId)
  if (row === undefined || !row.durationAssumed) return
  const patch = { durationMs, durationAssumed: false }
  await appendEvents(trx, updatedEvents([await patchVideo(trx, videoId, patch)]), envelope)
}
