import { type EventDefinition, OWNERS } from '@looptide/contracts/event'
import { type Envelope, EnvelopeShape, EVENTS, type EventType, streamOf } from '@looptide/contracts/events'
import { Compile } from 'typebox/compile'
import { type EventKeys, SIGNATURE_ERRORS, SIGNATURE_HEADER } from './event-keys.ts'
import type { MsgHdrs } from './nats-client.ts'

/** The parts of a NATS message that {@link decodeEvent} reads. */
export interface EventMessage {
  subject: string
  data: Uint8Array
  headers?: MsgHdrs | undefined
  reply?: string | undefined
}

/** The reasons for which messages are rejected. Also the values of a metric label. */
export const REJECTION_REASONS = [
  ...SIGNATURE_ERRORS,
  'wrong_subject',
  'wrong_stream',
  'stored_copy',
] as const
export type RejectionReason = (typeof REJECTION_REASONS)[number]

/** The message was not published by the owner of its subject and must not be applied. */
export class RejectedMessage extends Error {
  readonly reason: RejectionReason
  constructor(reason: RejectionReason, detail: string) {
    super(`rejected (${reason}): ${detail}`)
    this.reason = reason
  }
}

/**
 * Verifies the signature, subject and data of a message. Returns its envelope, a {@link RejectedMessage} if it was not
 * published by the owner of the subject, or another Error if it is not a valid event. Unknown event types are accepted:
 * a later version may have published them.
 *
 * @param stream the stream it was read from; undefined for a message received over core NATS
 */
export function decodeEvent(
  message: EventMessage,
  keys: Pick<EventKeys, 'checkSignature'>,
  stream?: string,
): Envelope | Error {
  const { subject, data } = message
  const fault = keys.checkSignature(subject, data, message.headers?.get(SIGNATURE_HEADER))
  if (fault !== undefined) return new RejectedMessage(fault, `not signed by the owner of ${subject}`)
  if (stream !== undefined && streamOf(subject as EventType) !== stream)
    return new RejectedMessage('wrong_stream', `${subject} does not belong to ${stream}`)
  const storedCopy = stream === undefined ? rejectStoredCopy(message) : undefined
  if (storedCopy !== undefined) return storedCopy
  return parse(subject, new TextDecoder().decode(data))
}

/**
 * Rejects a message that JetStream delivered to a core NATS subscriber; undefined for any other. JetStream delivers stored
 * messages with a `$JS.` reply subject. Publishers have no reply subject, or their inbox.
 */
export function rejectStoredCopy({
  subject,
  reply,
}: Pick<EventMessage, 'subject' | 'reply'>): RejectedMessage | undefined {
  if (reply?.startsWith('$JS.') !== true) return undefined
  return new RejectedMessage(
    'stored_copy',
    `a stored message was delivered to core NATS subscribers of ${subject}`,
  )
}

function parse(subject: string, text: string): Envelope | Error {
  try {
    const envelope: unknown = JSON.parse(text)
    const invalid = validateEnvelope(envelope)
    if (invalid !== undefined) return invalid
    const valid = envelope as Envelope
    if (valid.type !== subject)
      return new RejectedMessage(
        'wrong_subject',
        `an event of type ${valid.type} was published to ${subject}`,
      )
    return valid
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Longest body stored of a rejected message, in characters. */
const MAX_STORED_BODY = 16_384

/** The stored form of a rejected message: an envelope that an admin can replay, or the start of its text. */
export function storedBody(message: EventMessage): unknown {
  const text = new TextDecoder().decode(message.data)
  const envelope = text.length > MAX_STORED_BODY ? undefined : parse(message.subject, text)
  return envelope === undefined || envelope instanceof Error ? text.slice(0, MAX_STORED_BODY) : envelope
}

const envelopeCheck = Compile(EnvelopeShape)
/** Checks of the data of each event type, compiled with the first event of the type. */
const dataChecks = new Map<EventType, ReturnType<typeof Compile>>()

function dataCheckOf(type: EventType): ReturnType<typeof Compile> | undefined {
  const known = dataChecks.get(type)
  if (known !== undefined || !Object.hasOwn(EVENTS, type)) return known
  const check = Compile(EVENTS[type].data)
  dataChecks.set(type, check)
  return check
}

/** Returns the error of a parsed envelope or its data; undefined if both are valid. */
export function validateEnvelope(envelope: unknown): Error | undefined {
  if (!envelopeCheck.Check(envelope)) return new Error('not an event envelope')
  const { type, data } = envelope
  return dataCheckOf(type as EventType)?.Check(data) === false
    ? new Error(`invalid data for ${type}`)
    : undefined
}

/** The single events that a bulk event stands for; none for another event. */
export function partsOf(envelope: Envelope): Envelope[] {
  const { parts }: EventDefinition = EVENTS[envelope.type]
  return (parts?.(envelope.data) ?? []).map((part) => ({ ...envelope, ...part }) as Envelope)
}

/** The owner whose events a service publishes; undefined if it publishes none. */
export const ownerOfService = (service: string): (typeof OWNERS)[number] | undefined =>
  OWNERS.find((name) => service === name || service.startsWith(`${name}-`))
