import {
  type Envelope,
  EnvelopeShape,
  EVENTS,
  type EventType,
  OWNERS,
  streamOf,
} from '@looptide/contracts/events'
import { Check } from 'typebox/value'
import { type EventKeys, SIGNATURE_ERRORS, SIGNATURE_HEADER } from './event-keys.ts'
import type { MsgHdrs } from './nats-client.ts'

/** What {@link decodeEvent} reads of a NATS message. */
export interface EventMessage {
  subject: string
  data: Uint8Array
  headers?: MsgHdrs | undefined
  reply?: string | undefined
}

/** Why a message is rejected. Also the values of a metric label: the set is closed. */
export const REJECTION_REASONS = [
  ...SIGNATURE_ERRORS,
  'wrong_subject',
  'wrong_stream',
  'stored_copy',
] as const
export type RejectionReason = (typeof REJECTION_REASONS)[number]

/** The message was not published by the owner of its subject: it is not applied, whatever it says. */
export class RejectedMessage extends Error {
  readonly reason: RejectionReason
  constructor(reason: RejectionReason, detail: string) {
    super(`rejected (${reason}): ${detail}`)
    this.reason = reason
  }
}

/**
 * The envelope, once its owner's signature, its subject and its data are verified; a {@link RejectedMessage} when
 * it does not come from the owner of the subject, another Error when it does and is not a valid event. Unknown types
 * pass: they belong to a later version.
 *
 * @param stream the stream it was read from; undefined for a message heard as it was published
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
  // JetStream delivers stored messages with a reply subject of its own; an owner publishes with its inbox.
  if (stream === undefined && message.reply?.startsWith('$JS.') === true)
    return new RejectedMessage('stored_copy', `a stored copy of ${subject} was delivered to a listener`)
  return parse(subject, new TextDecoder().decode(data))
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

/** Longest body kept of a rejected message, in characters. */
const MAX_KEPT = 16_384

/** What is kept of a rejected message: an envelope that an admin can replay, or the beginning of its text. */
export function storedBody(message: EventMessage): unknown {
  const text = new TextDecoder().decode(message.data)
  const envelope = text.length > MAX_KEPT ? undefined : parse(message.subject, text)
  return envelope === undefined || envelope instanceof Error ? text.slice(0, MAX_KEPT) : envelope
}

/** What is wrong with a parsed envelope or with its data; undefined: nothing. */
export function validateEnvelope(envelope: unknown): Error | undefined {
  if (!Check(EnvelopeShape, envelope)) return new Error('not an event envelope')
  const schema = EVENTS[envelope.type as EventType]
  if (schema !== undefined && !Check(schema, envelope.data)) return new Error(`bad data for ${envelope.type}`)
  return undefined
}

/** The owner whose events a service publishes, by its name; undefined: none. */
export const ownerOfService = (service: string): (typeof OWNERS)[number] | undefined =>
  OWNERS.find((name) => service === name || service.startsWith(`${name}-`))
