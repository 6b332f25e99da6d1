import { ClockRequest, PollRequest, ReactRequest } from '@looptide/contracts/realtime'
import { Check } from 'typebox/value'
import { binaryFrame } from '../../fast-path/websocket-frame.ts'
import {
  broadcastJson,
  type ClientFrame,
  encodeBinaryBroadcast,
  type JsonObject,
  MAX_NAME_BYTES,
} from '../protocol/codec.ts'
import {
  broadcastEncoder,
  broadcastSize,
  MAX_BROADCAST_BYTES,
  readMemberBroadcast,
} from '../topic/member-broadcast.ts'
import type { Membership } from '../topic/membership.ts'
import { DEVICE_REFUSAL, mayBroadcast, TOPIC_RULES } from '../topic/topic-rules.ts'
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
  if (!mayBroadcast(member.identity, event))
    return connection.refuse(frame, `Unauthorized: ${DEVICE_REFUSAL}`)
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

/**
 * Answers a viewer's `clock`, `poll` or `react` broadcast on a stream topic. Only the sender receives the answer, as a frame of the
 * same type as the request. Polls are all that an idle viewer costs, so the answer holds only what changed. Each poll is
 * answered, so that a client can match answers to requests.
 */
function answerRequest(
  { deps }: HandlerContext,
  { connection, topic, ack }: Membership,
  frame: ClientFrame,
  event: string,
  payload: unknown,
): undefined {
  const serverNowMs = deps.now()
  const answer = (body: JsonObject): void => {
    const json = JSON.stringify(body)
    if (frame.isBinary) connection.answer([binaryFrame(encodeBinaryBroadcast(topic.key, event, json))])
    else connection.send(null, null, topic.key, 'broadcast', broadcastJson(event, json))
    if (ack) connection.reply(frame, 'ok')
  }
  if (event === 'clock' && Check(ClockRequest, payload)) {
    answer({ sentAtMs: payload.sentAtMs, serverNowMs })
  } else if (event === 'poll' && Check(PollRequest, payload)) {
    const timeline = deps.channels.timeline(topic.name.id)
    const isNew = timeline !== null && timeline.timelineVersion !== payload.timelineVersion
    const health = payload.health === true ? { healthy: deps.isHealthy() } : {}
    answer({ serverNowMs, ...(isNew ? timeline : {}), ...health })
  } else if (event === 'react' && Check(ReactRequest, payload)) {
    const reason = deps.addReaction(connection, topic.name.id, payload.emoji)
    if (reason !== undefined) connection.refuse(frame, reason)
    else if (ack) connection.reply(frame, 'ok')
  } else connection.refuse(frame, 'Unauthorized: only clock, poll and react are accepted on this topic')
}
