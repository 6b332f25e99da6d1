import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { applyRemovedVideos } from '../features/requests/changed-videos.ts'

/** Refuses the waiting requests of videos that were deleted together. */
export const onVideosRemoved =
  (now: () => number) =>
  (trx: Transaction<Database>, event: Envelope<'catalogue.videos.removed.v1'>): Promise<void> =>
    applyRemovedVideos(trx, event.data.videoIds, { nowMs: now(), cause: event })
