import { EVENTS } from '@looptide/contracts/events'
import { isNoResponders, isPermissionError, isUnsendable, jetStreamError } from './nats-client.ts'

/** JetStream: another message than expected is the stream's last. */
const WRONG_LAST_CODES = new Set([10_070, 10_071])
/** JetStream: the message is larger than its stream allows. */
const MESSAGE_TOO_LARGE = 10_054

/**
 * Why an event was not stored:
 * - `never`: it will not be stored however often it is tried (too large, no valid subject);
 * - `denied`: NATS permissions do not allow its subject, or it is of an unknown type that no stream takes: the event may
 *   be wrong or the configuration;
 * - `out of place`: the stream does not end where the relay thought;
 * - `outage`: anything else; try again.
 */
export type PublishRefusal = 'never' | 'denied' | 'out of place' | 'outage'

export function refusalOf(error: unknown, type: string): PublishRefusal {
  if (isUnsendable(error)) return 'never'
  if (isPermissionError(error)) return 'denied'
  if (isNoResponders(error)) return type in EVENTS ? 'outage' : 'denied'
  const code = jetStreamError(error)?.code ?? 0
  if (WRONG_LAST_CODES.has(code)) return 'out of place'
  return code === MESSAGE_TOO_LARGE ? 'never' : 'outage'
}
