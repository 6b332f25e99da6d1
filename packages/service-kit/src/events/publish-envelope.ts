import type { Envelope } from '@looptide/contracts/events'
import { traceHeaders } from '../telemetry/tracing.ts'
import { type EventKeys, SIGNATURE_HEADER } from './event-keys.ts'
import {
  headers,
  type JetStreamClient,
  type NatsConnection,
  type PubAck,
  requireSubject,
} from './nats-client.ts'

/** Timeout of JetStream's acknowledgement, in ms. */
export const PUBLISH_TIMEOUT_MS = 3000

/** Span attributes of an event, with OpenTelemetry's names for messaging. */
export const messageAttributes = (subject: string, id: string): Record<string, string> => ({
  'messaging.system': 'nats',
  'messaging.destination.name': subject,
  'messaging.message.id': id,
})

/** The connection and keys with which a process publishes events. */
export interface EventPublisher {
  nats: NatsConnection
  keys: Pick<EventKeys, 'sign'>
}

/** The expected last message of the stream. JetStream refuses the event if the stream ends with another one. */
export type ExpectedLast = { lastMsgID: string } | { lastSequence: number }

/**
 * Signs and publishes one envelope and waits for JetStream's acknowledgement. The message id is the event id, so the
 * stream drops duplicates within its duplicate window; each consumer's inbox ignores later ones. With another
 * `messageId` the stream stores a duplicate. Throws if the stream is missing (the migration step creates it) or full.
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
