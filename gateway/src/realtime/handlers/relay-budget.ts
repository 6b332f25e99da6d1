import type { ClientFrame } from '../protocol/codec.ts'
import type { Membership } from '../topic/membership.ts'
import type { HandlerContext } from './handler-context.ts'

/**
 * Counts what a member sends, and its copies for all members. False above a limit: the socket is closed when it sends too
 * much, and the frame is refused at a limit of the copies.
 */
export function mayRelay(
  { deps }: HandlerContext,
  { connection, topic }: Membership,
  frame: ClientFrame,
  bytes: number,
): boolean {
  if (!connection.spendRelayed(bytes, deps.now())) return false
  const copies = topic.copiesOf(bytes)
  const refusal = !connection.mayReceive(copies)
    ? CLIENT_LIMIT_REACHED
    : topic.mayRelay(bytes)
      ? null
      : TOPIC_LIMIT_REACHED
  if (refusal === null) {
    connection.charge(copies)
    return true
  }
  deps.metrics.broadcastsDropped.inc({ kind: topic.name.kind })
  connection.refuse(frame, refusal)
  return false
}

/** Of a socket, or of its network. */
export const CLIENT_LIMIT_REACHED = 'rate limit of this connection or network reached'
export const TOPIC_LIMIT_REACHED = 'rate limit of this topic reached'
