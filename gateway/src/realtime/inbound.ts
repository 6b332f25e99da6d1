import { randomUUID } from 'node:crypto'
import { ClockRequest, PollRequest } from '@looptide/contracts/realtime'
import { Check } from 'typebox/value'
import { broadcastJson, type ClientFrame, encodeBinaryBroadcast, isObject, type JsonObject } from './codec.ts'
import type { Connection } from './connection.ts'
import type { Hub } from './hub.ts'
import { join } from './join.ts'
import { MAX_SPOKEN_BYTES, renderSpoken, sizeOf, spokenIn } from './spoken.ts'
import type { Membership } from './topic.ts'
import { TOPIC_RULES } from './topic-rules.ts'
import { binaryFrame } from './websocket-frame.ts'

/** How much a member may say of itself, and how many may be tracked on one topic: all of them fit into one NATS message. */
const MAX_META_BYTES = 8192
const MAX_TRACKED = 100

/** Every event a client may send. */
type Inbound = 'heartbeat' | 'phx_join' | 'phx_leave' | 'access_token' | 'broadcast' | 'presence'

/** A promise when the frame waits for something; later frames of the socket then wait for it. */
type Outcome = undefined | Promise<void>

/** Who may send it: anybody with a socket, or only a member of the topic it names. */
type Handler =
  | { permission: 'anyone'; handle: (hub: Hub, connection: Connection, frame: ClientFrame) => Outcome }
  | { permission: 'member'; handle: (hub: Hub, member: Membership, frame: ClientFrame) => Outcome }

/** Exhaustive: an event without a permission does not compile. */
const HANDLERS: Record<Inbound, Handler> = {
  heartbeat: { permission: 'anyone', handle: heartbeat },
  phx_join: { permission: 'anyone', handle: join },
  phx_leave: { permission: 'anyone', handle: leave },
  access_token: { permission: 'member', handle: renewToken },
  broadcast: { permission: 'member', handle: broadcast },
  presence: { permission: 'member', handle: presence },
}

const isInbound = (event: string): event is Inbound => Object.hasOwn(HANDLERS, event)

/** Does what a client's frame asks for. Every frame is answered, unless the protocol says otherwise. */
export function dispatch(hub: Hub, connection: Connection, frame: ClientFrame): Outcome {
  const { event } = frame
  const handler = isInbound(event) ? HANDLERS[event] : null
  if (handler?.permission === 'anyone') return handler.handle(hub, connection, frame)
  const member = connection.memberships.get(frame.topic)
  if (member === undefined) connection.refuse(frame, 'unmatched topic')
  else if (isStale(frame, member)) return undefined
  else if (handler === null) connection.refuse(frame, 'unknown event')
  else return handler.handle(hub, member, frame)
}

/** A frame from an earlier life of the channel: the client has joined again since. */
const isStale = (frame: ClientFrame, member: Membership): boolean =>
  frame.joinRef !== null && frame.joinRef !== member.joinRef

function heartbeat(_hub: Hub, connection: Connection, frame: ClientFrame): undefined {
  if (frame.topic === 'phoenix') connection.reply(frame, 'ok')
  else connection.refuse(frame, 'unmatched topic')
}

function leave(hub: Hub, connection: Connection, frame: ClientFrame): undefined {
  const member = connection.memberships.get(frame.topic)
  if (member !== undefined && isStale(frame, member)) return
  connection.reply(frame, 'ok')
  if (member === undefined) return
  hub.drop(member)
  connection.send(member.joinRef, member.joinRef, frame.topic, 'phx_close', '{}')
}

/** A fresher token. One that nobody can check just now leaves things as they are until the old one expires. */
function renewToken(hub: Hub, member: Membership, { payload }: ClientFrame): Outcome {
  const token = payload.access_token
  if (typeof token !== 'string' || token === '') return undefined
  return takeToken(hub, member, token)
}

async function takeToken(hub: Hub, member: Membership, token: string): Promise<void> {
  const verdict = await hub.deps.identities.check(token)
  const { connection, topic } = member
  if (connection.memberships.get(topic.address) !== member || verdict === 'unknown') return
  const rule = TOPIC_RULES[topic.name.kind]
  if (typeof verdict === 'object') {
    hub.bind(connection, verdict.identity)
    member.identity = verdict.identity
    if (!rule.mayEnter(topic.name, verdict.identity, hub.deps.identities))
      hub.shutDown(member, 'You may not be on this topic any more.', 'close')
  } else if (verdict === 'lapsed' && rule.isPublic) member.identity = null
  else hub.shutDown(member, 'The access token is not good.', 'close')
}

function broadcast(hub: Hub, member: Membership, frame: ClientFrame): undefined {
  const { connection, topic } = member
  const { event, payload } = frame.payload
  if (typeof event !== 'string' || event === '' || Buffer.byteLength(event) > 255)
    return connection.refuse(frame, 'a broadcast needs an event')
  const { broadcasts } = TOPIC_RULES[topic.name.kind]
  if (broadcasts === 'requests') return request(hub, member, frame, event, payload)
  if (broadcasts === 'none') return connection.refuse(frame, 'Unauthorized: nobody speaks on this topic')
  const spoken = spokenIn(frame, event)
  if (sizeOf(spoken) > MAX_SPOKEN_BYTES)
    return connection.refuse(frame, `a broadcast has at most ${MAX_SPOKEN_BYTES} bytes`)
  if (!mayRelay(hub, member, frame, sizeOf(spoken))) return
  const render = renderSpoken(topic.address, spoken)
  if (member.self) topic.publish(render)
  else topic.publishExcept(member, render)
  hub.deps.peers.spoke(topic.address, spoken)
  if (member.ack) connection.reply(frame, 'ok')
}

/** Counts what a member says to the others; refuses it when the topic, or closes the socket when it itself, says too much. */
function mayRelay(hub: Hub, { connection, topic }: Membership, frame: ClientFrame, bytes: number): boolean {
  if (!connection.spendRelayed(bytes, hub.deps.now())) return false
  const isWithin = topic.mayRelay(bytes)
  if (!isWithin) {
    hub.deps.metrics.unrelayed.inc({ kind: topic.name.kind })
    connection.refuse(frame, 'too much is said on this topic')
  }
  return isWithin
}

/**
 * What viewers may ask on a stream topic; the answer goes to the asking socket alone, in the form of the question. Each
 * poll is answered, so that a client knows which answer is whose, and with what is news only: it is what an idle viewer costs.
 */
function request(
  hub: Hub,
  { connection, topic, ack }: Membership,
  frame: ClientFrame,
  event: string,
  payload: unknown,
): undefined {
  const serverNowMs = hub.deps.now()
  const answer = (body: JsonObject): void => {
    const json = JSON.stringify(body)
    if (frame.isBinary) connection.write(binaryFrame(encodeBinaryBroadcast(topic.address, event, json)))
    else connection.send(null, null, topic.address, 'broadcast', broadcastJson(event, json))
    if (ack) connection.reply(frame, 'ok')
  }
  if (event === 'clock' && Check(ClockRequest, payload)) {
    answer({ sentAtMs: payload.sentAtMs, serverNowMs })
  } else if (event === 'poll' && Check(PollRequest, payload)) {
    const timeline = hub.deps.channels.timeline(topic.name.id)
    const isNews = timeline !== null && timeline.timelineVersion !== payload.timelineVersion
    const health = payload.health === true ? { healthy: hub.deps.isHealthy() } : {}
    answer({ serverNowMs, ...(isNews ? timeline : {}), ...health })
  } else connection.refuse(frame, 'Unauthorized: viewers only ask for clock and poll')
}

function presence(hub: Hub, member: Membership, frame: ClientFrame): undefined {
  const { connection, topic } = member
  if (!TOPIC_RULES[topic.name.kind].presence)
    return connection.refuse(frame, 'Unauthorized: presence is not kept on this topic')
  const { event, payload } = frame.payload
  if (event === 'track') {
    const words = isObject(payload) ? payload : {}
    const bytes = Buffer.byteLength(JSON.stringify(words))
    if (bytes > MAX_META_BYTES)
      return connection.refuse(frame, `a presence has at most ${MAX_META_BYTES} bytes`)
    if (!topic.presence.isTracked(member) && topic.presence.own().length >= MAX_TRACKED)
      return connection.refuse(frame, 'too many are tracked on this topic')
    if (!mayRelay(hub, member, frame, bytes)) return
    member.presenceKey ||= randomUUID()
    hub.tellPresence(topic, topic.presence.track(member, member.presenceKey, words))
  } else if (event === 'untrack') hub.tellPresence(topic, topic.presence.untrack(member))
  else return connection.refuse(frame, 'presence is tracked or untracked')
  connection.reply(frame, 'ok')
}
