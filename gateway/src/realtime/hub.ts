import type { Socket } from 'node:net'
import type { Logger } from '@looptide/service-kit/logger'
import type { WebSocket } from 'ws'
import type { ChannelFacts } from './channel-facts.ts'
import { broadcastJson, type Version } from './codec.ts'
import { Connection, type ConnectionLimits } from './connection.ts'
import type { HubMetrics } from './hub-metrics.ts'
import type { Identity, IdentityChecker } from './identity.ts'
import { type PresenceChange, presenceDiff } from './presence.ts'
import { receive } from './receive.ts'
import { pushed } from './render.ts'
import type { FanOutOptions, Membership, Render } from './topic.ts'
import { Topic } from './topic.ts'
import { PREFIX, type TopicName } from './topic-name.ts'
import type { TopicPeers } from './topic-peers.ts'
import { mayStay, ROLE_TOPICS, type RoleAttempt, type RoleTopic } from './topic-rules.ts'

export interface HubLimits extends ConnectionLimits {
  maxJoins: number
  /** A socket that sends nothing for so long is closed; clients send a heartbeat every 25 s. */
  idleMs: number
}

export interface HubDeps {
  identities: IdentityChecker
  channels: ChannelFacts
  /** Whether any server of the station does well, from memory. */
  isHealthy: () => boolean
  /** The parts of the same topics that are with other gateways. */
  peers: TopicPeers
  limits: HubLimits
  fanOut: FanOutOptions
  metrics: HubMetrics
  logger: Logger
  /** Called when somebody signed in is refused a topic for a role. */
  onRefusedRole: (identity: Identity, topic: RoleTopic, attempt: RoleAttempt) => void
  /** Wall clock, epoch ms. */
  now: () => number
}

const SWEEP_MS = 1000
/** So long a session that has ended may still hear why, before its socket closes. */
const FAREWELL_MS = 250

/** All sockets and topics of this gateway: who is where, and what is sent to whom. */
export class Hub {
  readonly deps: HubDeps
  /** New sockets belong to another gateway: this one is on its way out. */
  isLeaving = false
  readonly #connections = new Set<Connection>()
  /** By address. A `Map`, for addresses come from strangers. */
  readonly #topics = new Map<string, Topic>()
  readonly #bySession = new Map<string, Set<Connection>>()
  /** Memberships that rest on a token, and so end with it. */
  readonly #expiring = new Set<Membership>()
  #sweeper: NodeJS.Timeout | undefined
  #onViewers: (channelId: string) => void = () => undefined

  constructor(deps: HubDeps) {
    this.deps = deps
  }

  get size(): number {
    return this.#connections.size
  }

  start(): void {
    this.#sweeper = setInterval(() => this.sweep(), SWEEP_MS)
    this.#sweeper.unref()
  }

  /** Called whenever somebody came to, or left, a `stream` topic. */
  onViewers(listener: (channelId: string) => void): void {
    this.#onViewers = listener
  }

  /** How many sockets of this gateway are on each channel's `stream` topic. */
  viewers(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const topic of this.#topics.values())
      if (topic.name.kind === 'stream') counts.set(topic.name.id, topic.size)
    return counts
  }

  viewersOf(channelId: string): number {
    return this.#topics.get(`${PREFIX}stream:${channelId}`)?.size ?? 0
  }

  /** The ids of the channels whose topic of this kind has members. */
  channelsOf(kind: 'stream' | 'chat'): string[] {
    return [...this.#topics.values()].filter(({ name }) => name.kind === kind).map(({ name }) => name.id)
  }

  /** Takes over a socket whose handshake is done. */
  accept(ws: WebSocket, wire: Socket, version: Version): Connection {
    const { limits, now, metrics } = this.deps
    const connection = new Connection(ws, wire, version, limits, now())
    ws.on('error', () => connection.closed('protocol'))
    ws.on('message', (data, isBinary) => receive(this, connection, data as Buffer, isBinary))
    // `ws` answers each of them by itself.
    ws.on('ping', () => connection.spend(1, now()))
    ws.on('close', () => this.#forget(connection))
    wire.on('data', (chunk: Buffer) => connection.countRead(chunk.length, now()))
    this.#connections.add(connection)
    metrics.sockets.set(this.#connections.size)
    return connection
  }

  #forget(connection: Connection): void {
    if (!this.#connections.delete(connection)) return
    this.deps.metrics.sockets.set(this.#connections.size)
    this.deps.metrics.closed.inc({ reason: connection.closeReason ?? 'client' })
    for (const membership of connection.memberships.values()) this.drop(membership)
    for (const session of connection.sessions) {
      const peers = this.#bySession.get(session)
      peers?.delete(connection)
      if (peers?.size === 0) this.#bySession.delete(session)
    }
  }

  /** Puts a socket on a topic, which comes into being with its first member. */
  enter(
    name: TopicName,
    address: string,
    place: Omit<Membership, 'topic' | 'lane' | 'had'>,
    restsOnToken: boolean,
  ): Membership {
    let topic = this.#topics.get(address)
    if (topic === undefined) {
      topic = new Topic(name, address, this.deps.fanOut)
      this.#topics.set(address, topic)
      this.deps.peers.opened(topic)
    }
    const membership = topic.join(place)
    place.connection.memberships.set(address, membership)
    if (restsOnToken) {
      this.#expiring.add(membership)
      place.connection.privateTopics += 1
    }
    if (name.kind === 'stream') this.#onViewers(name.id)
    return membership
  }

  /** Takes a socket off a topic: untracks its presence, forgets the topic with its last member. */
  drop(membership: Membership): void {
    const { connection, topic } = membership
    if (!connection.memberships.delete(topic.address)) return
    topic.leave(membership)
    if (this.#expiring.delete(membership)) connection.privateTopics -= 1
    this.tellPresence(topic, topic.presence.untrack(membership))
    if (topic.size === 0) {
      topic.stop()
      this.#topics.delete(topic.address)
      this.deps.peers.closed(topic)
    }
    if (topic.name.kind === 'stream') this.#onViewers(topic.name.id)
  }

  /** Tells members everywhere who came and who went; nothing for null. */
  tellPresence(topic: Topic, change: PresenceChange | null): void {
    if (change === null) return
    topic.publish(pushed(topic.address, 'presence_diff', JSON.stringify(presenceDiff(change))))
    this.deps.peers.presenceChanged(topic, change)
  }

  /**
   * Ends a membership against its holder's will (docs/protocols/realtime.md §3.1). `close`: the
   * client stays out until its app asks again; `error`: it comes back by itself, with a fresher token.
   */
  shutDown(membership: Membership, message: string, how: 'close' | 'error'): void {
    const { connection, topic, joinRef } = membership
    const channel = topic.address.slice(PREFIX.length)
    const system = JSON.stringify({ extension: 'system', status: 'error', message, channel })
    this.drop(membership)
    connection.send(joinRef, null, topic.address, 'system', system)
    connection.send(joinRef, joinRef, topic.address, `phx_${how}`, '{}')
  }

  /** Sends a broadcast of the server to all on `topic` (its name without the protocol's prefix). */
  publish(topic: string, event: string, payload: unknown): void {
    if (this.#topics.has(PREFIX + topic)) this.publishJson(topic, event, JSON.stringify(payload))
  }

  /** The same with a payload that is JSON already; nothing is sent for null. */
  publishJson(topic: string, event: string, payloadJson: string | null): void {
    const address = PREFIX + topic
    const found = this.#topics.get(address)
    if (found === undefined || payloadJson === null) return
    this.deps.metrics.published.inc({ kind: found.name.kind })
    found.publish(pushed(address, 'broadcast', broadcastJson(event, payloadJson)))
  }

  /** The topic of this address, prefix included, while it has members at this gateway. */
  topicAt(address: string): Topic | undefined {
    return this.#topics.get(address)
  }

  /** The same with the frame made by `render`: for what differs from lane to lane. */
  publishRendered(topic: string, render: Render): void {
    this.#topics.get(PREFIX + topic)?.publish(render)
  }

  /** Remembers that a socket speaks for a session, so that it can be closed with it. */
  bind(connection: Connection, identity: Identity): void {
    connection.identity = identity
    connection.sessions.add(identity.sessionId)
    const peers = this.#bySession.get(identity.sessionId)
    if (peers === undefined) this.#bySession.set(identity.sessionId, new Set([connection]))
    else peers.add(connection)
  }

  /** Sessions that have ended: their sockets are told why, lose their private topics and are closed. */
  revoke(sessionIds: readonly string[]): void {
    const ended = sessionIds.flatMap((id) => [...(this.#bySession.get(id) ?? [])])
    for (const connection of ended) {
      const topics = [...connection.memberships.values()].filter(({ topic }) => topic.name.kind === 'user')
      const payload = broadcastJson('session_revoked', JSON.stringify({ sessionIds }))
      for (const { topic } of topics) connection.send(null, null, topic.address, 'broadcast', payload)
    }
    setTimeout(() => this.#endSessions(ended, sessionIds), FAREWELL_MS).unref()
  }

  #endSessions(ended: Connection[], sessionIds: readonly string[]): void {
    for (const connection of ended) {
      for (const membership of [...connection.memberships.values()]) {
        const { identity } = membership
        if (identity === null || !sessionIds.includes(identity.sessionId)) continue
        if (this.#expiring.has(membership)) this.shutDown(membership, 'Your session has ended.', 'close')
      }
      connection.close('sessionEnded')
    }
  }

  /** Somebody's role changed: ends the memberships of role topics that the new role does not allow. */
  recheckRole(userId: string): void {
    const topics = ROLE_TOPICS.flatMap((kind) => this.#topics.get(PREFIX + kind) ?? [])
    for (const membership of topics.flatMap((topic) => [...topic.members()]))
      if (membership.identity?.userId === userId && !mayStay(membership, this.deps.identities))
        this.shutDown(membership, 'Your role has changed.', 'close')
  }

  /** A signing key was revoked: memberships by its tokens end, so that clients join again with a new token. */
  revokeKey(kid: string): void {
    for (const connection of this.#connections) {
      if (connection.identity?.kid === kid) connection.identity = null
      for (const membership of [...connection.memberships.values()]) {
        if (membership.identity?.kid === kid) this.shutDown(membership, 'Please sign in again.', 'error')
      }
    }
  }

  /** Closes silent sockets and ends memberships whose token has run out. */
  sweep(): void {
    const nowMs = this.deps.now()
    const silentSince = nowMs - this.deps.limits.idleMs
    for (const connection of this.#connections)
      if (connection.lastSeenMs < silentSince) connection.close('idle')
    for (const membership of this.#expiring)
      if (membership.identity !== null && membership.identity.expiresAtMs <= nowMs)
        this.shutDown(membership, 'Your access token has expired.', 'error')
  }

  /** Takes no new sockets from now on. Answers those there are. */
  beginLeaving(): Connection[] {
    this.isLeaving = true
    return [...this.#connections]
  }

  /** Writes what waits for company. */
  flush(): void {
    for (const topic of this.#topics.values()) topic.flush()
  }

  /** Tells every client to come back elsewhere, all at once. */
  stop(): void {
    clearInterval(this.#sweeper)
    this.flush()
    for (const connection of this.#connections) connection.close('restarting')
  }
}
