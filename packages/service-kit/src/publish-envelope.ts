import { AUDIT_STREAM, type Envelope, type EventType, streamOf } from '@looptide/contracts/events'
import type { JetStreamClient } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { type EventKeys, SIGNATURE_HEADER } from './event-keys.ts'
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

/**
 * Signs and publishes one envelope and waits for JetStream's acknowledgement. The event id is the message id, so a
 * repeat within the stream's window is dropped there; later repeats are dropped by each consumer's inbox. With
 * `previousId` it is refused unless the event of that id is the stream's last. Throws when the stream is missing (the
 * migration step creates it) or full.
 */
export async function publishEnvelope(
  js: JetStreamClient,
  keys: Pick<EventKeys, 'sign'>,
  envelope: Envelope,
  previousId?: string,
): Promise<void> {
  const payload = Buffer.from(JSON.stringify(envelope))
  const meta = headers()
  meta.set(SIGNATURE_HEADER, keys.sign(envelope.type, payload))
  if (envelope.correlationId !== null) meta.set('x-correlation-id', envelope.correlationId)
  for (const [name, value] of Object.entries(traceHeaders())) meta.set(name, value)
  await js.publish(envelope.type, payload, {
    msgID: envelope.id,
    headers: meta,
    timeout: PUBLISH_TIMEOUT_MS,
    ...(previousId === undefined ? {} : { expect: { lastMsgID: previousId } }),
  })
}

/**
 * The id of the event before `rows[index]` in the same stream, for `previousId`; undefined for the first of a stream and
 * for audit events, between which other owners publish.
 */
export function previousIdOf(
  rows: readonly { id: string; type: string }[],
  index: number,
): string | undefined {
  const stream = streamOf(rows[index]?.type as EventType)
  if (stream === AUDIT_STREAM) return undefined
  return rows.slice(0, index).findLast(({ type }) => streamOf(type as EventType) === stream)?.id
}
