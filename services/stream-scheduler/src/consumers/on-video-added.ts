import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { takeAddedVideos } from '../videos/take-videos.ts'

/** A new video; channels that play it (the default one may) are rebuilt. */
export const onVideoAdded = (trx: Trx, event: Envelope<'catalogue.video.added.v1'>): Promise<void> =>
  takeAddedVideos(trx, [event.data.video], event.aggregateVersion)
