import { ClockRequest, PollRequest } from '@looptide/contracts/realtime'
import { Check } from 'typebox/value'
import { binaryFrame } from '../../fast-path/websocket-frame.ts'
import { broadcastJson, type ClientFrame, encodeBinaryBroadcast, type JsonObject } from '../protocol/codec.ts'
import type { Membership } from '../topic/membership.ts'
import type { HandlerContext } from './handler-context.ts'

/**
 * Answers a viewer's `clock` or `poll` broadcast on a stream topic. Only the sender receives the answer, as a frame of the
 * same type as the request. Polls are all that an idle viewer costs, so the answer holds only what changed. Each poll is
 * answered, so that a client can match answers to requests.
 */
export function answerRequest(
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
  } else connection.refuse(frame, 'Unauthorized: only clock and poll are accepted on this topic')
}
