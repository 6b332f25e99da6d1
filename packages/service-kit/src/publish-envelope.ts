import { type Envelope, ownerOf } from '@looptide/contracts/events'
import { type JetStreamClient, jetstreamManager, type PubAck } from '@nats-io/jetstream'
import { headers, type NatsConnection, RequestError } from '@nats-io/transport-node'
import { ensureStreams } from './nats.ts'
import { traceHeaders } from './tracing.ts'

/** How long JetStream may take to acknowledge an event, in ms. */
export const PUBLISH_TIMEOUT_MS = 3000

/** What a span says of an event, by OpenTelemetry's names for messages. */
export const messageAttributes = (subject: string, id: string): Record<string, string> => ({
  'messaging.system': 'nats',
  'messaging.destination.name': subject,
  'messaging.message.id': id,
})

/** What must be the stream's last message for an event to be stored; JetStream refuses it otherwise. */
export type ExpectedLast = { lastMsgID: string } | { lastSequence: number }

/**
 * Publishes one envelope and waits for JetStream's acknowledgement. The event id is the message id, so a repeat within
 * the stream's window is dropped there; later repeats are dropped by each consumer's inbox. A missing stream (a store
 * that was wiped) is created again.
 */
export async function publishEnvelope(
  js: JetStreamClient,
  nats: NatsConnection,
  envelope: Envelope,
  expect?: ExpectedLast,
): Promise<PubAck> {
  const meta = headers()
  if (envelope.correlationId !== null) meta.set('x-correlation-id', envelope.correlationId)
  for (const [name, value] of Object.entries(traceHeaders())) meta.set(name, value)
  const options = { msgID: envelope.id, headers: meta, timeout: PUBLISH_TIMEOUT_MS, expect }
  const payload = JSON.stringify(envelope)
  try {
    return await js.publish(envelope.type, payload, options)
  } catch (error) {
    // Nobody listens to the subject: it is the stream that is missing.
    const noStream =
      error instanceof Error && error.cause instanceof RequestError && error.cause.isNoResponders()
    const isFirst = expect === undefined || 'lastSequence' in expect
    if (!noStream || !isFirst) throw error
    await ensureStreams(await jetstreamManager(nats, { timeout: PUBLISH_TIMEOUT_MS }), [
      ownerOf(envelope.type),
    ])
    return js.publish(envelope.type, payload, options)
  }
}
