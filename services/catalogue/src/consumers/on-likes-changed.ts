import type { Envelope } from '@looptide/contracts/events'
import type { CatalogueTrx } from '../db/schema.ts'
import { setLikeCounts } from '../features/videos/video-repository.ts'

/** Stores numbers of likes. They are no change of the videos, so no update is published. */
export const onLikesChanged = (
  trx: CatalogueTrx,
  event: Envelope<'audience.likes.changed.v1'>,
): Promise<void> => setLikeCounts(trx, event.data.videos)
