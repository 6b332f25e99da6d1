import { randomUUID } from 'node:crypto'
import { GatewayHeartbeat, LIVE_SUBJECTS } from '@looptide/contracts/events'
import { connectionChanges, type NatsConnection, type Subscription } from '@looptide/service-kit/nats-client'
import { Check } from 'typebox/value'
import { parseJson } from './parse-json.ts'

/** What a part of the gateway wants to know about the other gateways. */
export interface PeerListener {
  /** One arrived, or we were cut off from all: what we have to say is to be said in full. */
  arrived?: () => void
  /** One is gone, and its sockets with it. */
  gone?: (gatewayId: string) => void
}

interface PeersDeps {
  nats: NatsConnection
  /** Monotonic clock in ms. */
  monotonicMs: () => number
}

const BEAT_MS = 2000
/** A gateway that was not heard of for so long is gone: three beats and a little. */
export const SILENT_MS = 6500
/** Gateways that fell silent and may be heard again: they were cut off, or asleep. */
const MAX_LOST = 1000

/**
 * The other gateways, over core NATS. Each says every two seconds that it is there; one that falls silent is
 * taken for gone within seven seconds, one that leaves says so. Nothing is stored and nothing waits: while
 * NATS is away each gateway is alone, and when it is back all tell each other everything anew.
 */
export class Peers {
  /** This gateway, in this run of its process. */
  readonly id = randomUUID()
  readonly #deps: PeersDeps
  readonly #listeners: PeerListener[] = []
  readonly #heardAtMs = new Map<string, number>()
  readonly #lost = new Set<string>()
  #subscription: Subscription | undefined
  #ticker: NodeJS.Timeout | undefined
  #tickedAtMs = 0
  #isConnected = true

  constructor(deps: PeersDeps) {
    this.#deps = deps
  }

  /** Whether no other gateway is there, as far as we know. */
  get isAlone(): boolean {
    return this.#heardAtMs.size === 0
  }

  listen(listener: PeerListener): void {
    this.#listeners.push(listener)
  }

  start(): void {
    this.#subscription = this.subscribe(LIVE_SUBJECTS.gatewayHeartbeat, (bytes) => this.#hear(bytes))
    this.#tickedAtMs = this.#deps.monotonicMs()
    this.#ticker = setInterval(() => this.tick(), BEAT_MS)
    this.#ticker.unref()
    void this.#watchConnection()
    this.#beat('started')
  }

  /** Says goodbye, so that the others need not wait until our silence is long enough. */
  async stop(): Promise<void> {
    clearInterval(this.#ticker)
    this.#subscription?.unsubscribe()
    this.#beat('stopping')
    if (this.#isConnected) await this.#deps.nats.flush()
  }

  /** Tells the others something. Lost while NATS is away: it would be told late, all at once, when nobody asks any more. */
  send(subject: string, payload: string | Uint8Array): void {
    const { nats } = this.#deps
    if (this.#isConnected && !nats.isClosed()) nats.publish(subject, payload)
  }

  subscribe(subject: string, take: (bytes: Uint8Array) => void): Subscription {
    return this.#deps.nats.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) take(message.data)
      },
    })
  }

  /** Anything a gateway says shows that it is there. False for our own words, which NATS tells us as well. */
  heard(gatewayId: string): boolean {
    if (gatewayId === this.id) return false
    this.#heardAtMs.set(gatewayId, this.#deps.monotonicMs())
    // Its sockets were counted as gone: everybody says everything again.
    if (this.#lost.delete(gatewayId)) this.#beat('started')
    return true
  }

  /** Says that we are there and looks who has fallen silent. */
  tick(): void {
    this.#beat('running')
    const nowMs = this.#deps.monotonicMs()
    const slept = nowMs - this.#tickedAtMs > SILENT_MS / 2
    this.#tickedAtMs = nowMs
    // Who slept cannot tell who was silent meanwhile.
    if (slept) return
    for (const [gatewayId, atMs] of this.#heardAtMs) if (nowMs - atMs > SILENT_MS) this.#lose(gatewayId)
  }

  #lose(gatewayId: string): void {
    this.#forget(gatewayId)
    const [oldest] = this.#lost
    if (this.#lost.size >= MAX_LOST && oldest !== undefined) this.#lost.delete(oldest)
    this.#lost.add(gatewayId)
  }

  #forget(gatewayId: string): void {
    if (!this.#heardAtMs.delete(gatewayId)) return
    for (const listener of this.#listeners) listener.gone?.(gatewayId)
  }

  #beat(state: GatewayHeartbeat['state']): void {
    const beat: GatewayHeartbeat = { gatewayId: this.id, state }
    this.send(LIVE_SUBJECTS.gatewayHeartbeat, JSON.stringify(beat))
  }

  #hear(bytes: Uint8Array): void {
    const beat = parseJson(bytes)
    if (!Check(GatewayHeartbeat, beat)) return
    if (beat.state === 'stopping') this.#forget(beat.gatewayId)
    else if (this.heard(beat.gatewayId) && beat.state === 'started') this.#tellAll()
  }

  #tellAll(): void {
    for (const listener of this.#listeners) listener.arrived?.()
  }

  async #watchConnection(): Promise<void> {
    for await (const change of connectionChanges(this.#deps.nats)) {
      if (change === 'disconnect') this.#isConnected = false
      if (change !== 'reconnect') continue
      this.#isConnected = true
      this.#beat('started')
      this.#tellAll()
    }
  }
}
