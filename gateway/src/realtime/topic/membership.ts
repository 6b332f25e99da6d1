import type { ClientNetwork } from '@looptide/service-kit/limits/client-network'
import type { CloseReason } from '../connection/close-reasons.ts'
import type { Identity } from '../identity.ts'
import type { ClientFrame } from '../protocol/codec.ts'
import type { GroupMember, Subscriber } from './subscriber-group.ts'
import type { Topic } from './topic.ts'

/** A socket's subscription to a topic, from `phx_join` to `phx_leave`. */
export interface Membership extends GroupMember {
  readonly connection: ChannelSocket
  readonly topic: Topic
  readonly joinRef: string | null
  identity: Identity | null
  /** The member receives its own broadcasts too (`broadcast.self`). */
  readonly self: boolean
  /** The member's broadcasts are acknowledged (`broadcast.ack`). */
  readonly ack: boolean
  presenceKey: string
}

/** What handlers and the hub need of a socket. */
export interface ChannelSocket extends Subscriber {
  readonly client: ClientNetwork
  /** The API key of the handshake. */
  readonly apiKey: string
  /** By topic key. */
  readonly memberships: Map<string, Membership>
  /** Sessions whose tokens this socket has presented. */
  readonly sessions: Set<string>
  /** The identity of the last valid token. */
  identity: Identity | null
  /** Number of memberships in private topics. */
  privateTopics: number
  readonly isOpen: boolean
  /** Versions of the large members of snapshots that were sent to this socket, by topic key. */
  readonly sentVersions: Map<string, number>
  /** Answers the client: writes frames, or parts of frames, with one system call and without concatenating them. */
  answer(parts: readonly Buffer[]): void
  send(joinRef: string | null, ref: string | null, topic: string, event: string, payloadJson: string): void
  reply(frame: ClientFrame, status: 'ok' | 'error', responseJson?: string): void
  /** Replies with `status: error` and the reason. */
  refuse(frame: ClientFrame, reason: string): undefined
  /** Counts bytes that other sockets receive because of this one. False, and the socket is closed, above the limit. */
  spendRelayed(bytes: number, nowMs: number): boolean
  /** Whether the station may send `bytes` now because of this socket: to it, or to others. */
  mayReceive(bytes: number): boolean
  /** Counts bytes that the station sends because of this socket, besides answers. */
  charge(bytes: number): void
  close(reason: CloseReason): void
}

/** A socket has joined or left a channel's `stream` topic. `viewer`: its account, or its network without one. */
export interface ViewerChange {
  kind: 'join' | 'leave'
  channelId: string
  viewer: string
}

/** What a new or removed membership changes about the viewers; undefined for other topics. */
export function viewerChange(
  kind: ViewerChange['kind'],
  { topic: { name }, connection }: Membership,
): ViewerChange | undefined {
  if (name.kind !== 'stream') return undefined
  return { kind, channelId: name.id, viewer: connection.identity?.userId ?? connection.client.network }
}
