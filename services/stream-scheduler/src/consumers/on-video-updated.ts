import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { takeVideos } from '../videos/take-videos.ts'

/**
 * A video has another title or length, was made private, or YouTube will not show it any more: channels that play
 * it are rebuilt, with it or without it.
 */
export const onVideoUpdated = (trx: Trx, event: Envelope<'catalogue.video.updated.v1'>): Promise<void> =>
  takeVideos(trx, [event.data.video], event.aggregateVersion)
