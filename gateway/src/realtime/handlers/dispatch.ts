import { randomUUID } from 'node:crypto'
import { type ClientFrame, isObject } from '../protocol/codec.ts'
import type { ChannelSocket, Membership } from '../topic/membership.ts'
import { TOPIC_RULES } from '../topic/topic-rules.ts'
import { broadcast } from './broadcast.ts'
import type { HandlerContext, HandlerResult } from './handler-context.ts'
import { join } from './join.ts'
import { mayRelay } from './relay-budget.ts'

/** Every event that a client may send. */
type ClientEvent = 'heartbeat' | 'phx_join' | 'phx_leave' | 'access_token' | 'broadcast' | 'presence'

/** Who may send the event: any client, or only a member of the frame's topic. */
type Handler =
  | {
      permission: 'anyone'
      handle: (context: HandlerContext, connection: ChannelSocket, frame: ClientFrame) => HandlerResult
    }
  | {
      permission: 'member'
      handle: (context: HandlerContext, member: Membership, frame: ClientFrame) => HandlerResult
    }

/** Exhaustive: an event without a permission does not compile. */
const HANDLERS: Record<ClientEvent, Handler> = {
  heartbeat: { permission: 'anyone', handle: heartbeat },
  phx_join: { permission: 'anyone', handle: join },
  phx_leave: { permission: 'anyone', handle: leave },
  access_token: { permission: 'member', handle: renewToken },
  broadcast: { permission: 'member', handle: broadcast },
  presence: { permission: 'member', handle: presence },
}

const isClientEvent = (event: string): event is ClientEvent => Object.hasOwn(HANDLERS, event)

/** Handles a client's frame. Every frame gets a reply, unless the protocol says otherwise. */
export function dispatch(
  context: HandlerContext,
  connection: ChannelSocket,
  frame: ClientFrame,
): HandlerResult {
  const { event } = frame
  const handler = isClientEvent(event) ? HANDLERS[event] : null
  if (handler?.permission === 'anyone') return handler.handle(context, connection, frame)
  const member = connection.memberships.get(frame.topic)
  if (member === undefined) connection.refuse(frame, 'unmatched topic')
  else if (isStale(frame, member)) return undefined
  else if (handler === null) connection.refuse(frame, 'unknown event')
  else return handler.handle(context, member, frame)
}

/** Whether the frame belongs to an earlier join of the channel. */
const isStale = (frame: ClientFrame, member: Membership): boolean =>
  frame.joinRef !== null && frame.joinRef !== member.joinRef

function heartbeat(_context: HandlerContext, connection: ChannelSocket, frame: ClientFrame): undefined {
  if (frame.topic === 'phoenix') connection.reply(frame, 'ok')
  else connection.refuse(frame, 'unmatched topic')
}

function leave(context: HandlerContext, connection: ChannelSocket, frame: ClientFrame): undefined {
  const member = connection.memberships.get(frame.topic)
  if (member !== undefined && isStale(frame, member)) return
  connection.reply(frame, 'ok')
  if (member === undefined) return
  context.removeMember(member)
  connection.send(member.joinRef, member.joinRef, frame.topic, 'phx_close', '{}')
}

/**
 * Replaces the access token of a membership. Without a token nothing changes. A token that cannot be verified at the
 * moment is ignored too; the previous one stays valid until it expires.
 */
function renewToken(context: HandlerContext, member: Membership, { payload }: ClientFrame): HandlerResult {
  const token = payload.access_token
  if (typeof token !== 'string' || token === '') return undefined
  return applyToken(context, member, token)
}

async function applyToken(context: HandlerContext, member: Membership, token: string): Promise<void> {
  const { identities } = context.deps
  const { connection, topic } = member
  const result = await identities.checkPresented(token, connection.apiKey)
  if (connection.memberships.get(topic.key) !== member || result === null || result === 'unknown') return
  const rule = TOPIC_RULES[topic.name.kind]
  if (typeof result === 'object') {
    context.bindSession(connection, result.identity)
    member.identity = result.identity
    if (!rule.mayJoin(topic.name, result.identity, identities))
      context.closeChannel(member, 'You no longer have access to this topic.', 'close')
  } else if (result === 'expired' && rule.isPublic) member.identity = null
  else context.closeChannel(member, 'The access token is invalid.', 'close')
}

/** Limits on a member's metadata and on the tracked members of a topic. The presence state of a topic fits one NATS message. */
const MAX_META_BYTES = 8192
const MAX_TRACKED = 100

/** Tracks or untracks a member's presence. */
function presence(context: HandlerContext, member: Membership, frame: ClientFrame): undefined {
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
