import type { Envelope } from '@looptide/contracts/events'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx } from '../db/schema.ts'
import { updatedEvents } from '../features/videos/video-events.ts'
import { lockVideo, patchVideo } from '../features/videos/video-repository.ts'

/** Stores the duration read from a media file. It takes precedence over durations reported by players. */
export async function onMediaProbed(
  trx: CatalogueTrx,
  envelope: Envelope<'metadata.media.probed.v1'>,
): Promise<void> {
  const { videoId, url, durationMs } = envelope.data
  const row = await lockVideo(trx, videoId)
  if (row === undefined || row.youtubeId !== null || row.videoUrl !== url) return
  if (row.durationMs === durationMs && !row.durationAssumed) return
  const after = await patchVideo(trx, videoId, { durationMs, durationAssumed: false })
  await appendEvents(trx, updatedEvents([after]), envelope)
}
