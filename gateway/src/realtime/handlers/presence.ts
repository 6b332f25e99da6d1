import { randomUUID } from 'node:crypto'
import { type ClientFrame, isObject } from '../protocol/codec.ts'
import type { Membership } from '../topic/membership.ts'
import { TOPIC_RULES } from '../topic/topic-rules.ts'
import type { HandlerContext } from './handler-context.ts'
import { mayRelay } from './relay-budget.ts'

/** Limits on a member's metadata and on the tracked members of a topic. The presence state of a topic fits one NATS message. */
const MAX_META_BYTES = 8192
const MAX_TRACKED = 100

/** Tracks or untracks a member's presence. */
export function presence(context: HandlerContext, member: Membership, frame: ClientFrame): undefined {
  const { connection, topic } = member
  if (!TOPIC_RULES[topic.name.kind].presence)
    return connection.refuse(frame, 'Unauthorized: presence is disabled on this topic')
  const { event, payload } = frame.payload
  if (event === 'track') {
    const meta = isObject(payload) ? payload : {}
    const bytes = Buffer.byteLength(JSON.stringify(meta))
    if (bytes > MAX_META_BYTES)
      return connection.refuse(frame, `presence metadata has at most ${MAX_META_BYTES} bytes`)
    if (!topic.presence.isTracked(member) && topic.presence.local().length >= MAX_TRACKED)
      return connection.refuse(frame, `at most ${MAX_TRACKED} members can be tracked on this topic`)
    // The members receive it twice: now, and when it is replaced or untracked.
    if (!mayRelay(context, member, frame, 2 * bytes)) return
    member.presenceKey ||= randomUUID()
    context.publishPresence(topic, topic.presence.track(member, member.presenceKey, meta))
  } else if (event === 'untrack') context.publishPresence(topic, topic.presence.untrack(member))
  else return connection.refuse(frame, 'a presence event is track or untrack')
  connection.reply(frame, 'ok')
}
