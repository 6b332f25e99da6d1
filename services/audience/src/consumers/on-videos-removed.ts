import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { setRemoved } from '../features/likes/like-repository.ts'
import { applyRemovedVideos } from '../features/requests/changed-videos.ts'

/** Refuses the waiting requests of videos that were deleted together, and hides their likes. */
export const onVideosRemoved =
  (now: () => number) =>
  async (trx: Transaction<Database>, event: Envelope<'catalogue.videos.removed.v1'>): Promise<void> => {
    await setRemoved(trx, event.data.videoIds, new Date(now()))
    await applyRemovedVideos(trx, event.data.videoIds, { nowMs: now(), cause: event })
  }
