import { createHash } from 'node:crypto'
import type { EventService } from '@looptide/contracts/event'
import { OWNERS, type Owner } from '@looptide/contracts/event'
import { EVENT_SUBSCRIPTIONS } from '@looptide/contracts/event-subscriptions'
import { type Envelope, ownerOf } from '@looptide/contracts/events'
import { EventKeys, eventPublicKeys, SIGNATURE_HEADER } from '@looptide/service-kit/events/event-keys'
import {
  headers,
  jetstream,
  type MsgHdrs,
  type NatsConnection,
} from '@looptide/service-kit/events/nats-client'

/** Any 32 bytes are an Ed25519 key. These are the same in every process of a test. */
const privateKeys = Object.fromEntries(
  OWNERS.map((owner) => [owner, createHash('sha256').update(`test key of ${owner}`).digest('base64url')]),
) as Record<Owner, string>

const publicKeys = eventPublicKeys(privateKeys)

/** The test keys of one owner; of a process without events, null. */
export const testKeys = (owner: Owner | null): EventKeys =>
  new EventKeys(owner === null ? undefined : privateKeys[owner], publicKeys)

/** The environment variables with a service's test keys. */
export function eventKeyEnv(service: EventService): Record<string, string> {
  const { owner } = EVENT_SUBSCRIPTIONS[service]
  return {
    EVENT_PUBLIC_KEYS: publicKeys,
    ...(owner === null ? {} : { EVENT_SIGNING_KEY: privateKeys[owner] }),
  }
}

interface SignedEvent {
  subject: string
  payload: Buffer
  headers: MsgHdrs
}

/** An event as its owner would publish it. */
export function signEvent(envelope: Envelope, keys = testKeys(ownerOf(envelope.type))): SignedEvent {
  const payload = Buffer.from(JSON.stringify(envelope))
  const signed = headers()
  signed.set(SIGNATURE_HEADER, keys.sign(envelope.type, payload))
  return { subject: envelope.type, payload, headers: signed }
}

/** Publishes an event to its stream, signed by its owner. A repeat of it is stored again. */
export async function storeEvent(nats: NatsConnection, envelope: Envelope): Promise<void> {
  const event = signEvent(envelope)
  await jetstream(nats).publish(event.subject, event.payload, { headers: event.headers })
}

/** Publishes any text signed by the owner of the subject: an invalid event of its owner. */
export async function storeText(
  nats: NatsConnection,
  subject: Envelope['type'],
  text: string,
): Promise<void> {
  const payload = Buffer.from(text)
  const signed = headers()
  signed.set(SIGNATURE_HEADER, testKeys(ownerOf(subject)).sign(subject, payload))
  await jetstream(nats).publish(subject, payload, { headers: signed })
}

/** Publishes an event over core NATS, signed by its owner. It is not stored. */
export function announceEvent(nats: NatsConnection, envelope: Envelope): void {
  const event = signEvent(envelope)
  nats.publish(event.subject, event.payload, { headers: event.headers })
}
