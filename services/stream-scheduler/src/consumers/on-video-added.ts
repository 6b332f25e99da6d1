import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { takeVideos } from '../videos/take-videos.ts'

/** A new video; channels that play it (the default one may) are rebuilt. */
export const onVideoAdded = (trx: Trx, event: Envelope<'catalogue.video.added.v1'>): Promise<void> =>
  takeVideos(trx, [event.data.video], event.aggregateVersion)
