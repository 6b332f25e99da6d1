import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { applyRemovedVideos } from '../features/requests/changed-videos.ts'

/** Refuses the waiting requests of a deleted video. */
export const onVideoRemoved =
  (now: () => number) =>
  (trx: Transaction<Database>, event: Envelope<'catalogue.video.removed.v1'>): Promise<void> =>
    applyRemovedVideos(trx, [event.data.videoId], { nowMs: now(), cause: event })
