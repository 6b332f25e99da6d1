import type { Envelope } from '@looptide/contracts/events'
import { newId } from '@looptide/service-kit/db/ids'

/** An event that makes the catalogue request all missing metadata again. */
export const queueEmptied = (): Envelope<'metadata.queue.emptied.v1'> => ({
  id: newId(),
  type: 'metadata.queue.emptied.v1',
  occurredAt: new Date().toISOString(),
  actorId: null,
  correlationId: null,
  aggregateId: 'look-ups',
  aggregateVersion: Date.now(),
  data: {},
})
