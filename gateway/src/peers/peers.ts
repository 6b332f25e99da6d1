import { randomUUID } from 'node:crypto'
import { GatewayHeartbeat, LIVE_SUBJECTS } from '@looptide/contracts/events'
import type { LiveMessages } from '@looptide/service-kit/events/live-messages'
import {
  connectionChanges,
  type NatsConnection,
  type Subscription,
} from '@looptide/service-kit/events/nats-client'
import { parseJson } from '@looptide/service-kit/events/parse-json'
import { Check } from 'typebox/value'

/** Receives changes in the set of other gateways. */
interface PeerListener {
  /** A gateway started, or this one was disconnected from all others. Send your whole state. */
  onPeerStarted?: () => void
  /** A gateway, and its sockets, are gone. */
  onPeerLost?: (gatewayId: string) => void
}

interface PeersDeps {
  nats: NatsConnection
  live: LiveMessages
  /** Monotonic clock in ms. */
  monotonicMs: () => number
}

const HEARTBEAT_INTERVAL_MS = 2000
/** Time without a message after which a gateway counts as lost, in ms: three missed heartbeats and a margin. */
const PEER_TIMEOUT_MS = 6500
/** Lost gateways that are remembered. They may return after a network outage or a suspended process. */
const MAX_LOST = 1000

/**
 * The other gateways, over core NATS. Each sends a heartbeat every two seconds. A gateway without messages counts as lost
 * within seven seconds; one that shuts down announces it. Nothing is stored or queued: while NATS is down each gateway
 * works alone, and after reconnecting all gateways send their whole state again.
 */
export class Peers {
  /** Id of this gateway process. */
  readonly id = randomUUID()
  readonly #deps: PeersDeps
  readonly #listeners: PeerListener[] = []
  readonly #lastActiveMs = new Map<string, number>()
  readonly #lost = new Set<string>()
  #subscription: Subscription | undefined
  #timer: NodeJS.Timeout | undefined
  #tickedAtMs = 0
  #isConnected = true

  constructor(deps: PeersDeps) {
    this.#deps = deps
  }

  /** Whether no other gateway is known. */
  get isAlone(): boolean {
    return this.#lastActiveMs.size === 0
  }

  listen(listener: PeerListener): void {
    this.#listeners.push(listener)
  }

  start(): void {
    this.#subscription = this.subscribe(LIVE_SUBJECTS.gatewayHeartbeat, (bytes) => this.#receive(bytes))
    this.#tickedAtMs = this.#deps.monotonicMs()
    this.#timer = setInterval(() => this.tick(), HEARTBEAT_INTERVAL_MS)
    this.#timer.unref()
    void this.#watchConnection()
    this.#sendHeartbeat('started')
  }

  /** Announces the shutdown, so that the other gateways do not wait for the timeout. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#subscription?.unsubscribe()
    this.#sendHeartbeat('stopping')
    if (this.#isConnected) await this.#deps.nats.flush()
  }

  /** Sends to the other gateways. Dropped while NATS is down, because buffered messages would be outdated on arrival. */
  send(subject: string, payload: string | Uint8Array): void {
    const { nats } = this.#deps
    if (this.#isConnected && !nats.isClosed()) nats.publish(subject, payload)
  }

  subscribe(subject: string, onMessage: (bytes: Uint8Array) => void): Subscription {
    return this.#deps.live.subscribe(subject, onMessage)
  }

  /** Records that a gateway sent a message. False for this gateway's own messages, which NATS delivers to it as well. */
  recordActivity(gatewayId: string): boolean {
    if (gatewayId === this.id) return false
    this.#lastActiveMs.set(gatewayId, this.#deps.monotonicMs())
    // Its state was discarded, and it discarded ours: every gateway sends its whole state again.
    if (this.#lost.delete(gatewayId)) this.#sendHeartbeat('started')
    return true
  }

  /** Sends a heartbeat and removes gateways whose timeout has passed. */
  tick(): void {
    this.#sendHeartbeat('running')
    const nowMs = this.#deps.monotonicMs()
    const wasSuspended = nowMs - this.#tickedAtMs > PEER_TIMEOUT_MS / 2
    this.#tickedAtMs = nowMs
    // Messages that arrived during the suspension are not read yet.
    if (wasSuspended) return
    for (const [gatewayId, atMs] of this.#lastActiveMs)
      if (nowMs - atMs > PEER_TIMEOUT_MS) this.#timeOut(gatewayId)
  }

  #timeOut(gatewayId: string): void {
    this.#remove(gatewayId)
    const [oldest] = this.#lost
    if (this.#lost.size >= MAX_LOST && oldest !== undefined) this.#lost.delete(oldest)
    this.#lost.add(gatewayId)
  }

  #remove(gatewayId: string): void {
    if (!this.#lastActiveMs.delete(gatewayId)) return
    for (const listener of this.#listeners) listener.onPeerLost?.(gatewayId)
  }

  #sendHeartbeat(state: GatewayHeartbeat['state']): void {
    const beat: GatewayHeartbeat = { gatewayId: this.id, state }
    this.send(LIVE_SUBJECTS.gatewayHeartbeat, JSON.stringify(beat))
  }

  #receive(bytes: Uint8Array): void {
    const beat = parseJson(bytes)
    if (!Check(GatewayHeartbeat, beat)) return
    if (beat.state === 'stopping') this.#remove(beat.gatewayId)
    else if (this.recordActivity(beat.gatewayId) && beat.state === 'started') this.#notifyStarted()
  }

  #notifyStarted(): void {
    for (const listener of this.#listeners) listener.onPeerStarted?.()
  }

  async #watchConnection(): Promise<void> {
    for await (const change of connectionChanges(this.#deps.nats)) {
      if (change === 'disconnect') this.#isConnected = false
      if (change !== 'reconnect') continue
      this.#isConnected = true
      this.#sendHeartbeat('started')
      this.#notifyStarted()
    }
  }
}
