import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { applyAddedVideos } from '../library/apply-videos.ts'

/** Adds a new or restored video; the channels that play it are rebuilt. */
export const onVideoAdded = (trx: Trx, event: Envelope<'catalogue.video.added.v1'>): Promise<void> =>
  applyAddedVideos(trx, [event.data.video], event.aggregateVersion)
