import { EVENTS } from '@looptide/contracts/events'
import { JetStreamApiError } from '@nats-io/jetstream'
import {
  InvalidArgumentError,
  InvalidSubjectError,
  PermissionViolationError,
  RequestError,
} from '@nats-io/transport-node'

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
  if (!(error instanceof Error)) return 'outage'
  if (error instanceof InvalidArgumentError || error instanceof InvalidSubjectError) return 'never'
  if (error instanceof PermissionViolationError) return 'denied'
  if (error instanceof RequestError && error.isNoResponders()) return type in EVENTS ? 'outage' : 'denied'
  if (error instanceof JetStreamApiError) {
    if (WRONG_LAST_CODES.has(error.code)) return 'out of place'
    return error.code === MESSAGE_TOO_LARGE ? 'never' : 'outage'
  }
  return error.cause === undefined ? 'outage' : refusalOf(error.cause, type)
}
