import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { applyAddedVideos } from '../library/apply-videos.ts'

/** Adds the videos of an import. */
export const onVideosAdded = (trx: Trx, event: Envelope<'catalogue.videos.added.v1'>): Promise<void> =>
  applyAddedVideos(trx, event.data.videos, event.aggregateVersion)
