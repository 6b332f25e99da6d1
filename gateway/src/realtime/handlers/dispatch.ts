import type { ClientFrame } from '../protocol/codec.ts'
import type { ChannelSocket, Membership } from '../topic/membership.ts'
import { renewToken } from './access-token.ts'
import { broadcast } from './broadcast.ts'
import type { HandlerContext, HandlerResult } from './handler-context.ts'
import { join } from './join.ts'
import { presence } from './presence.ts'

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
