import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { takeVideos } from '../videos/take-videos.ts'

/** Many videos were changed at once. */
export const onVideosUpdated = (trx: Trx, event: Envelope<'catalogue.videos.updated.v1'>): Promise<void> =>
  takeVideos(trx, event.data.videos, event.aggregateVersion)
