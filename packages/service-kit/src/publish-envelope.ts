import type { Envelope } from '@looptide/contracts/events'
import { type EventKeys, SIGNATURE_HEADER } from './event-keys.ts'
import {
  headers,
  type JetStreamClient,
  type NatsConnection,
  type PubAck,
  requireSubject,
} from './nats-client.ts'
import { traceHeaders } from './tracing.ts'

/** How long JetStream may take to acknowledge an event, in ms. */
export const PUBLISH_TIMEOUT_MS = 3000

/** What a span says of an event, by OpenTelemetry's names for messages. */
export const messageAttributes = (subject: string, id: string): Record<string, string> => ({
  'messaging.system': 'nats',
  'messaging.destination.name': subject,
  'messaging.message.id': id,
})

/** What a process publishes events with. */
export interface EventPublisher {
  nats: NatsConnection
  keys: Pick<EventKeys, 'sign'>
}

/** What must be the stream's last message for an event to be stored; JetStream refuses it otherwise. */
export type ExpectedLast = { lastMsgID: string } | { lastSequence: number }

/**
 * Signs and publishes one envelope and waits for JetStream's acknowledgement. The event id is the message id, so a
 * repeat within the stream's window is dropped there; later repeats are dropped by each consumer's inbox. Another
 * `messageId` makes the stream keep a repeat. Throws when the stream is missing (the migration step creates it) or full.
 */
export async function publishEnvelope(
  js: JetStreamClient,
  keys: Pick<EventKeys, 'sign'>,
  envelope: Envelope,
  expect?: ExpectedLast,
  messageId: string = envelope.id,
): Promise<PubAck> {
  requireSubject(envelope.type)
  const payload = Buffer.from(JSON.stringify(envelope))
  const meta = headers()
  meta.set(SIGNATURE_HEADER, keys.sign(envelope.type, payload))
  if (envelope.correlationId !== null) meta.set('x-correlation-id', envelope.correlationId)
  for (const [name, value] of Object.entries(traceHeaders())) meta.set(name, value)
  const options = { msgID: messageId, headers: meta, timeout: PUBLISH_TIMEOUT_MS, expect }
  return js.publish(envelope.type, payload, options)
}
