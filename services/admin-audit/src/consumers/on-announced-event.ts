import type { Envelope } from '@looptide/contracts/events'
import { newId } from '@looptide/service-kit/db/ids'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { insertDeliveries } from '../features/webhooks/delivery-repository.ts'
import { type AnnouncedEvent, payloadOf } from '../features/webhooks/payload-of.ts'
import { findReceivers } from '../features/webhooks/webhook-repository.ts'

/** Stores an event as a delivery of each webhook that wants it. */
export async function onAnnouncedEvent(
  trx: Transaction<Database>,
  envelope: Envelope<AnnouncedEvent>,
): Promise<void> {
  const { channelId, payload } = payloadOf(envelope)
  const occurredAt = new Date(envelope.occurredAt)
  const receivers = await findReceivers(trx, { type: payload.type, channelId, occurredAt })
  await insertDeliveries(
    trx,
    receivers.map((webhookId) => ({
      id: newId(),
      webhookId,
      eventId: envelope.id,
      kind: 'event',
      channelId,
      lane: channelId ?? '',
      payload,
      createdAt: occurredAt,
    })),
  )
}
