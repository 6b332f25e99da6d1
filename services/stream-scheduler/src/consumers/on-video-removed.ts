import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { dropVideos } from '../videos/take-videos.ts'

/** A video is gone: what is on the air ends as planned, the future is rebuilt without it. */
export const onVideoRemoved = (trx: Trx, event: Envelope<'catalogue.video.removed.v1'>): Promise<void> =>
  dropVideos(trx, [event.data.videoId], event.aggregateVersion)
