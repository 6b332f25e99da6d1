import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { setRemoved } from '../features/likes/like-repository.ts'
import { applyRemovedVideos } from '../features/requests/changed-videos.ts'

/** Refuses the waiting requests of a deleted video, and hides its likes. */
export const onVideoRemoved =
  (now: () => number) =>
  async (trx: Transaction<Database>, event: Envelope<'catalogue.video.removed.v1'>): Promise<void> => {
    await setRemoved(trx, [event.data.videoId], new Date(now()))
    await applyRemovedVideos(trx, [event.data.videoId], { nowMs: now(), cause: event })
  }
