import { EVENTS } from '@looptide/contracts/events'
import { isNoResponders, isPermissionError, isUnsendable, jetStreamError } from './nats-client.ts'

/** JetStream: another message than expected is the stream's last. */
const WRONG_LAST_CODES = new Set([10_070, 10_071])
/** JetStream: the message is larger than its stream allows. */
const MESSAGE_TOO_LARGE = 10_054

/**
 * Why an event was not stored:
 * - `permanent`: it will not be stored however often it is tried (too large, no valid subject);
 * - `denied`: NATS permissions do not allow its subject, or it is of an unknown type that no stream takes: the event may
 *   be wrong or the configuration;
 * - `wrong_sequence`: the stream does not end where the relay thought;
 * - `outage`: anything else; try again.
 */
export type PublishErrorKind = 'permanent' | 'denied' | 'wrong_sequence' | 'outage'

export function classifyPublishError(error: unknown, type: string): PublishErrorKind {
  if (isUnsendable(error)) return 'permanent'
  if (isPermissionError(error)) return 'denied'
  if (isNoResponders(error)) return type in EVENTS ? 'outage' : 'denied'
  const code = jetStreamError(error)?.code ?? 0
  if (WRONG_LAST_CODES.has(code)) return 'wrong_sequence'
  return code === MESSAGE_TOO_LARGE ? 'permanent' : 'outage'
}
