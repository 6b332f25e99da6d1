import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { setShown } from '../features/likes/like-repository.ts'

/** Shows the likes of restored videos again. */
export const onVideosAdded = (
  trx: Transaction<Database>,
  event: Envelope<'catalogue.videos.added.v1'>,
): Promise<void> => setShown(trx, event.data.videos)
