import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { applyUpdatedVideos } from '../library/apply-videos.ts'

/**
 * Applies a change of a video: another title or duration, made private, or no longer available on YouTube. The channels
 * that play it are rebuilt.
 */
export const onVideoUpdated = (trx: Trx, event: Envelope<'catalogue.video.updated.v1'>): Promise<void> =>
  applyUpdatedVideos(trx, [event.data.video], event.aggregateVersion)
