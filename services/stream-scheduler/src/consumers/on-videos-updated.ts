import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { applyUpdatedVideos } from '../library/apply-videos.ts'

/** Applies the changes of videos that were changed together. */
export const onVideosUpdated = (trx: Trx, event: Envelope<'catalogue.videos.updated.v1'>): Promise<void> =>
  applyUpdatedVideos(trx, event.data.videos, event.aggregateVersion)
