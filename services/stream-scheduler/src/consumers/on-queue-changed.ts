import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { storeQueuePart } from '../requests/queue-repository.ts'

/** Stores the waiting requests of a channel. */
export const onQueueChanged = (trx: Trx, event: Envelope<'audience.queue.changed.v1'>): Promise<void> =>
  storeQueuePart(trx, event.data)
