import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { setShown } from '../features/likes/like-repository.ts'

/** Shows the likes of a restored video again. */
export const onVideoAdded = (
  trx: Transaction<Database>,
  event: Envelope<'catalogue.video.added.v1'>,
): Promise<void> => setShown(trx, [event.data.video])
