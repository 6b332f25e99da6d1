import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { applyUpdatedVideos } from '../features/requests/changed-videos.ts'

/** Applies the changes of videos that were changed together to their waiting requests. */
export const onVideosUpdated =
  (now: () => number) =>
  (trx: Transaction<Database>, event: Envelope<'catalogue.videos.updated.v1'>): Promise<void> =>
    applyUpdatedVideos(trx, event.data.videos, event.aggregateVersion, { nowMs: now(), cause: event })
