import type { ClientFrame } from '../protocol/codec.ts'
import type { Membership } from '../topic/membership.ts'
import type { HandlerContext } from './handler-context.ts'

/**
 * Counts what a member sends to the other members. False above a limit: the socket is closed at its own limit, and the
 * frame is refused at the topic's limit.
 */
export function mayRelay(
  { deps }: HandlerContext,
  { connection, topic }: Membership,
  frame: ClientFrame,
  bytes: number,
): boolean {
  if (!connection.spendRelayed(bytes, deps.now())) return false
  const isWithin = topic.mayRelay(bytes)
  if (!isWithin) {
    deps.metrics.broadcastsDropped.inc({ kind: topic.name.kind })
    connection.refuse(frame, TOPIC_LIMIT_REACHED)
  }
  return isWithin
}

export const TOPIC_LIMIT_REACHED = 'rate limit of this topic reached'
