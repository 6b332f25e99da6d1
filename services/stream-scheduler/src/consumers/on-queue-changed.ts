import type { Envelope } from '@looptide/contracts/events'
import type { Trx } from '../db/schema.ts'
import { storeQueuePart } from '../queues/queue-repository.ts'
import { markRequestsStale } from '../timeline/stale-repository.ts'

/** Stores the waiting requests of a channel, which is planned again when the queue is complete. */
export async function onQueueChanged(trx: Trx, event: Envelope<'audience.queue.changed.v1'>): Promise<void> {
  if (await storeQueuePart(trx, event.data)) await markRequestsStale(trx, event.data.channelId)
}
