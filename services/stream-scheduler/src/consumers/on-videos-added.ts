import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { takeAddedVideos } from '../videos/take-videos.ts'

/** Many new videos at once, as an import adds them. */
export const onVideosAdded = (trx: Trx, event: Envelope<'catalogue.videos.added.v1'>): Promise<void> =>
  takeAddedVideos(trx, event.data.videos, event.aggregateVersion)
