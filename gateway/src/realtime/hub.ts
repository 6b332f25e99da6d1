import type { OutdatedSession } from '@looptide/contracts/http/users'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { IncompleteMessages } from '../limits/incomplete-messages.ts'
import { NetworkBuckets } from '../limits/network-buckets.ts'
import { type AcceptedSocket, Connection } from './connection/connection.ts'
import type { HandlerContext, HandlerDeps, NewMember } from './handlers/handler-context.ts'
import { receive } from './handlers/receive.ts'
import type { HubLimits } from './hub-limits.ts'
import type { HubMetrics } from './hub-metrics.ts'
import type { Identity } from './identity.ts'
import { broadcastJson } from './protocol/codec.ts'
import { type ChannelSocket, type Membership, type ViewerChange, viewerChange } from './topic/membership.ts'
import { type PresenceChange, presenceDiff } from './topic/presence.ts'
import { pushEncoder } from './topic/push-encoder.ts'
import type { FrameEncoder } from './topic/subscriber-group.ts'
import { type FanOutOptions, Topic } from './topic/topic.ts'
import { TOPIC_PREFIX, type TopicName } from './topic/topic-name.ts'
import type { TopicPeers } from './topic/topic-peers.ts'
import { findRoleTopic, isStillAllowed } from './topic/topic-rules.ts'

interface HubDeps extends HandlerDeps {
  peers: TopicPeers
  limits: HubLimits
  fanOut: FanOutOptions
  metrics: HubMetrics
  logger: Logger
}

const SWEEP_MS = 1000
/** Delay between sending the close reason to a revoked session and closing its socket, in ms. */
const REVOKED_CLOSE_DELAY_MS = 250

/** All sockets and topics of this gateway. */
export class Hub implements HandlerContext {
  readonly deps: HubDeps
  /** The gateway is shutting down and refuses new sockets. */
  isDraining = false
  /** Bytes that this gateway sends because of what the sockets and requests of each network send. */
  readonly answered: NetworkBuckets
  readonly #connections = new Set<Connection>()
  /** By topic key. A `Map`, because topic keys come from clients. */
  readonly #topics = new Map<string, Topic>()
  readonly #bySession = new Map<string, Set<ChannelSocket>>()
  /** Memberships that end when their access token expires: all those of private topics. */
  readonly #endingWithToken = new Set<Membership>()
  readonly #incomplete: IncompleteMessages
  #sweeper: NodeJS.Timeout | undefined
  #onViewersChange: (change: ViewerChange | undefined) => void = () => undefined

  constructor(deps: HubDeps) {
    this.deps = deps
    this.answered = new NetworkBuckets(deps.limits.networkAnswers)
    this.#incomplete = new IncompleteMessages(deps.limits.incomplete)
  }

  /** Number of open sockets. */
  get size(): number {
    return this.#connections.size
  }

  start(): void {
    this.#sweeper = setInterval(() => this.sweep(), SWEEP_MS)
    this.#sweeper.unref()
  }

  /** Calls `listener` whenever a socket joins or leaves a `stream` topic. */
  onViewersChange(listener: (change: ViewerChange) => void): void {
    this.#onViewersChange = (change) => change && listener(change)
  }

  /** The topics with members at this gateway. */
  topics(): Topic[] {
    return [...this.#topics.values()]
  }

  /** Number of sockets on each channel's `stream` topic at this gateway. */
  viewers(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const topic of this.#topics.values())
      if (topic.name.kind === 'stream') counts.set(topic.name.id, topic.size)
    return counts
  }

  viewersOf(channelId: string): number {
    return this.#topics.get(`${TOPIC_PREFIX}stream:${channelId}`)?.size ?? 0
  }

  /** Ids of the channels whose topic of this kind has members. */
  channelsOf(kind: 'stream' | 'chat'): string[] {
    return [...this.#topics.values()].filter(({ name }) => name.kind === kind).map(({ name }) => name.id)
  }

  /** Takes over a socket after its handshake. */
  accept(socket: AcceptedSocket): void {
    const { limits, now, metrics } = this.deps
    const { ws, tcp } = socket
    const connection = new Connection(socket, { limits, answered: this.answered, now })
    ws.on('error', () => connection.closed('protocol'))
    ws.on('message', (data, isBinary) => receive(this, connection, data as Buffer, isBinary))
    // `ws` answers pings itself.
    ws.on('ping', () => connection.spend(1, now()))
    ws.on('close', () => this.#removeConnection(connection))
    tcp.on('data', (chunk: Buffer) => connection.countRead(chunk, this.#incomplete, now()))
    this.#connections.add(connection)
    metrics.sockets.set(this.#connections.size)
  }

  #removeConnection(connection: Connection): void {
    if (!this.#connections.delete(connection)) return
    this.#incomplete.remove(connection)
    this.deps.metrics.sockets.set(this.#connections.size)
    this.deps.metrics.closed.inc({ reason: connection.closeReason ?? 'client' })
    for (const membership of connection.memberships.values()) this.removeMember(membership)
    for (const session of connection.sessions) {
      const connections = this.#bySession.get(session)
      connections?.delete(connection)
      if (connections?.size === 0) this.#bySession.delete(session)
    }
  }

  /** Adds a socket to a topic. The topic is created with its first member. */
  addMember(name: TopicName, topicKey: string, options: NewMember, endsWithToken: boolean): Membership {
    const topic = this.#topics.get(topicKey) ?? this.#openTopic(name, topicKey)
    const { connection, joinRef, identity, self, ack, presenceKey, bindings } = options
    const group = topic.groupOf({ version: connection.version, bindings })
    const delivered = group.published
    const membership = { connection, topic, group, delivered, joinRef, identity, self, ack, presenceKey }
    topic.add(membership)
    connection.memberships.set(topicKey, membership)
    if (endsWithToken) {
      this.#endingWithToken.add(membership)
      connection.privateTopics += 1
    }
    this.#onViewersChange(viewerChange('join', membership))
    return membership
  }

  #openTopic(name: TopicName, topicKey: string): Topic {
    const topic = new Topic(name, topicKey, this.deps.fanOut)
    this.#topics.set(topicKey, topic)
    this.deps.peers.topicOpened(topic)
    return topic
  }

  /** Removes a socket from a topic and untracks its presence. The topic is deleted with its last member. */
  removeMember(membership: Membership): void {
    const { connection, topic } = membership
    if (!connection.memberships.delete(topic.key)) return
    topic.remove(membership)
    if (this.#endingWithToken.delete(membership)) connection.privateTopics -= 1
    this.publishPresence(topic, topic.presence.untrack(membership))
    if (topic.size === 0) {
      topic.stop()
      this.#topics.delete(topic.key)
      this.deps.peers.topicClosed(topic)
    }
    this.#onViewersChange(viewerChange('leave', membership))
  }

  /** Publishes a presence change to the members at all gateways; nothing for null. */
  publishPresence(topic: Topic, change: PresenceChange | null): void {
    if (change === null) return
    topic.publish(pushEncoder(topic.key, 'presence_diff', JSON.stringify(presenceDiff(change))))
    this.deps.peers.presenceChanged(topic, change)
  }

  /**
   * Ends a membership by the server. After `close`, the stock client stays out until its app joins again. After `error`,
   * it joins again by itself, with its current token.
   */
  closeChannel(membership: Membership, message: string, how: 'close' | 'error'): void {
    const { connection, topic, joinRef } = membership
    const channel = topic.key.slice(TOPIC_PREFIX.length)
    const system = JSON.stringify({ extension: 'system', status: 'error', message, channel })
    this.removeMember(membership)
    connection.send(joinRef, null, topic.key, 'system', system)
    connection.send(joinRef, joinRef, topic.key, `phx_${how}`, '{}')
  }

  /** Publishes a broadcast of the server to a topic, named without the prefix. */
  publish(topic: string, event: string, payload: unknown): void {
    if (this.hasMembers(topic)) this.publishJson(topic, broadcastJson(event, JSON.stringify(payload)))
  }

  /** The same for broadcasts that are already JSON, in one write to each member. */
  publishJson(topic: string, ...broadcasts: string[]): void {
    const topicKey = TOPIC_PREFIX + topic
    const found = this.#topics.get(topicKey)
    if (found === undefined) return
    this.deps.metrics.published.inc({ kind: found.name.kind }, broadcasts.length)
    found.publish(pushEncoder(topicKey, 'broadcast', ...broadcasts))
  }

  hasMembers(topic: string): boolean {
    return this.#topics.has(TOPIC_PREFIX + topic)
  }

  /** The same with a custom encoder, for messages that differ between subscriber groups. */
  publishEncoded(topic: string, encode: FrameEncoder): void {
    this.#topics.get(TOPIC_PREFIX + topic)?.publish(encode)
  }

  /** The topic with this key, while it has members at this gateway. */
  findTopic(topicKey: string): Topic | undefined {
    return this.#topics.get(topicKey)
  }

  bindSession(connection: ChannelSocket, identity: Identity): void {
    connection.identity = identity
    connection.sessions.add(identity.sessionId)
    const connections = this.#bySession.get(identity.sessionId)
    if (connections === undefined) this.#bySession.set(identity.sessionId, new Set([connection]))
    else connections.add(connection)
  }

  /** Notifies the sockets of revoked sessions, ends their private memberships and closes them. */
  revokeSessions(sessionIds: readonly string[]): void {
    const revoked = sessionIds.flatMap((id) => [...(this.#bySession.get(id) ?? [])])
    for (const connection of revoked) {
      const topics = [...connection.memberships.values()].filter(({ topic }) => topic.name.kind === 'user')
      const payload = broadcastJson('session_revoked', JSON.stringify({ sessionIds }))
      for (const { topic } of topics) connection.send(null, null, topic.key, 'broadcast', payload)
    }
    setTimeout(() => this.#closeRevoked(revoked, sessionIds), REVOKED_CLOSE_DELAY_MS).unref()
  }

  #closeRevoked(revoked: ChannelSocket[], sessionIds: readonly string[]): void {
    for (const connection of revoked) {
      for (const membership of [...connection.memberships.values()]) {
        const { identity } = membership
        if (identity === null || !sessionIds.includes(identity.sessionId)) continue
        if (this.#endingWithToken.has(membership))
          this.closeChannel(membership, 'Your session has ended.', 'close')
      }
      connection.close('sessionEnded')
    }
  }

  /** Ends a user's memberships of role topics that their new role does not allow. */
  recheckRole(userId: string): void {
    for (const membership of this.#endingWithToken) {
      const isConcerned =
        membership.identity?.userId === userId && findRoleTopic(membership.topic.name) !== undefined
      if (isConcerned && !isStillAllowed(membership, this.deps.identities))
        this.closeChannel(membership, 'Your role has changed.', 'close')
    }
  }

  /** Ends the memberships whose token was signed with a revoked key. Clients join again with a new token. */
  revokeKey(kid: string): void {
    this.#refuseTokens(this.#connections, (identity) => identity.kid === kid)
  }

  /** The same for tokens from before their session has proved more or less. */
  outdateSessions(sessions: readonly OutdatedSession[]): void {
    for (const { id, minGeneration } of sessions) {
      const isOutdated = ({ sessionId, generation }: Identity): boolean =>
        sessionId === id && generation < minGeneration
      this.#refuseTokens(this.#bySession.get(id) ?? [], isOutdated)
    }
  }

  #refuseTokens(connections: Iterable<ChannelSocket>, isRefused: (identity: Identity) => boolean): void {
    for (const connection of [...connections]) {
      if (connection.identity !== null && isRefused(connection.identity)) connection.identity = null
      for (const membership of [...connection.memberships.values()]) {
        if (membership.identity !== null && isRefused(membership.identity))
          this.closeChannel(membership, 'Please sign in again.', 'error')
      }
    }
  }

  /** Closes idle sockets and those that do not complete a message, and ends memberships whose token has expired. */
  sweep(): void {
    const nowMs = this.deps.now()
    const idleSinceMs = nowMs - this.deps.limits.idleMs
    for (const connection of this.#connections)
      if (connection.lastSeenMs < idleSinceMs) connection.close('idle')
    this.#incomplete.closeExpired(nowMs)
    for (const membership of this.#endingWithToken)
      if (membership.identity !== null && membership.identity.expiresAtMs <= nowMs)
        this.closeChannel(membership, 'Your access token has expired.', 'error')
  }

  beginDrain(): Connection[] {
    this.isDraining = true
    return [...this.#connections]
  }

  flush(): void {
    for (const topic of this.#topics.values()) topic.flush()
  }

  /** Closes every socket at once. */
  stop(): void {
    clearInterval(this.#sweeper)
    this.flush()
    for (const connection of this.#connections) connection.close('restarting')
  }
}
