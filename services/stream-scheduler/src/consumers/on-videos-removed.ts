import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { applyRemovedVideos } from '../library/apply-videos.ts'

/** Removes videos that were deleted together. */
export const onVideosRemoved = (trx: Trx, event: Envelope<'catalogue.videos.removed.v1'>): Promise<void> =>
  applyRemovedVideos(trx, event.data.videoIds, event.aggregateVersion)
