import { EVENTS } from '@looptide/contracts/events'
import { isNoResponders, isPermissionError, isUnsendable, jetStreamError } from '../nats-client.ts'

/** JetStream: the stream's last message is not the expected one. */
const WRONG_LAST_CODES = new Set([10_070, 10_071])
/** JetStream: the message is larger than its stream allows. */
const MESSAGE_TOO_LARGE = 10_054

/**
 * The reason for which an event was not stored:
 * - `permanent`: no retry can succeed (too large, invalid subject);
 * - `denied`: NATS permissions do not allow the subject, or no stream stores this unknown type. Either the event or the
 *   configuration is wrong;
 * - `wrong_sequence`: the stream's last message is not the one the relay expected;
 * - `outage`: anything else. Retry.
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
