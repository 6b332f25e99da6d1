import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { setShown } from '../features/likes/like-repository.ts'
import { applyUpdatedVideos } from '../features/requests/changed-videos.ts'

/** Applies a change of a video to its waiting requests and its likes. */
export const onVideoUpdated =
  (now: () => number) =>
  async (trx: Transaction<Database>, event: Envelope<'catalogue.video.updated.v1'>): Promise<void> => {
    await setShown(trx, [event.data.video])
    await applyUpdatedVideos(trx, [event.data.video], event.aggregateVersion, { nowMs: now(), cause: event })
  }
