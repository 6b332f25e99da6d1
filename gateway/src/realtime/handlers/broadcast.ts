import type { ClientFrame } from '../protocol/codec.ts'
import { MAX_NAME_BYTES } from '../protocol/codec.ts'
import {
  broadcastEncoder,
  broadcastSize,
  MAX_BROADCAST_BYTES,
  readMemberBroadcast,
} from '../topic/member-broadcast.ts'
import type { Membership } from '../topic/membership.ts'
import { TOPIC_RULES } from '../topic/topic-rules.ts'
import { answerRequest } from './answer-request.ts'
import type { HandlerContext } from './handler-context.ts'
import { mayRelay } from './relay-budget.ts'

/** Relays a member's broadcast to the other members, or answers it as a request, as the rule of its topic says. */
export function broadcast(context: HandlerContext, member: Membership, frame: ClientFrame): undefined {
  const { connection, topic } = member
  const { event, payload } = frame.payload
  if (typeof event !== 'string' || event === '' || Buffer.byteLength(event) > MAX_NAME_BYTES)
    return connection.refuse(frame, `a broadcast requires an event of at most ${MAX_NAME_BYTES} bytes`)
  const { broadcasts } = TOPIC_RULES[topic.name.kind]
  if (broadcasts === 'requests') return answerRequest(context, member, frame, event, payload)
  if (broadcasts === 'none')
    return connection.refuse(frame, 'Unauthorized: clients cannot broadcast on this topic')
  const message = readMemberBroadcast(frame, event)
  const bytes = broadcastSize(message)
  if (bytes > MAX_BROADCAST_BYTES)
    return connection.refuse(frame, `a broadcast has at most ${MAX_BROADCAST_BYTES} bytes`)
  if (!mayRelay(context, member, frame, bytes)) return
  const encode = broadcastEncoder(topic.key, message)
  if (member.self) topic.publish(encode)
  else topic.publishExcept(member, encode)
  context.deps.peers.relayBroadcast(topic.key, message)
  if (member.ack) connection.reply(frame, 'ok')
}
