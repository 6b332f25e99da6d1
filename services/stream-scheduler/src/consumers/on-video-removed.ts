import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { applyRemovedVideos } from '../library/apply-videos.ts'

/** Removes a deleted video. The current programme ends as planned, and the future is rebuilt without the video. */
export const onVideoRemoved = (trx: Trx, event: Envelope<'catalogue.video.removed.v1'>): Promise<void> =>
  applyRemovedVideos(trx, [event.data.videoId], event.aggregateVersion)
