import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { setShown } from '../features/likes/like-repository.ts'
import { applyUpdatedVideos } from '../features/requests/changed-videos.ts'

/** Applies the changes of videos that were changed together to their waiting requests and likes. */
export const onVideosUpdated =
  (now: () => number) =>
  async (trx: Transaction<Database>, event: Envelope<'catalogue.videos.updated.v1'>): Promise<void> => {
    await setShown(trx, event.data.videos)
    await applyUpdatedVideos(trx, event.data.videos, event.aggregateVersion, { nowMs: now(), cause: event })
  }
