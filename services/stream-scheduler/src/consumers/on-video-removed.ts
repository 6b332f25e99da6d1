import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { markStaleFor } from '../timeline/stale-repository.ts'
import { removeVideo } from '../videos/video-repository.ts'

/** A video is gone: what is on the air ends as planned, the future is rebuilt without it. */
export async function onVideoRemoved(trx: Trx, event: Envelope<'catalogue.video.removed.v1'>): Promise<void> {
  const { videoId } = event.data
  await markStaleFor(trx, videoId)
  await removeVideo(trx, videoId, event.aggregateVersion)
}
