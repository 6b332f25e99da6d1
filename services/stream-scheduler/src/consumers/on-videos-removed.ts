import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { dropVideos } from '../videos/take-videos.ts'

/** Many videos were deleted at once. */
export const onVideosRemoved = (trx: Trx, event: Envelope<'catalogue.videos.removed.v1'>): Promise<void> =>
  dropVideos(trx, event.data.videoIds, event.aggregateVersion)
