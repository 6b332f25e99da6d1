import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { setLikeCounts } from '../library/video-repository.ts'

/** Stores numbers of likes. Later plans use them; nothing is planned again because of them. */
export const onLikesChanged = (trx: Trx, event: Envelope<'audience.likes.changed.v1'>): Promise<void> =>
  setLikeCounts(trx, event.data.videos)
