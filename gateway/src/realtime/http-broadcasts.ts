import { errors } from '@looptide/service-kit/errors'
import { tooManyRequests } from '../http/local-limits.ts'
import { MAX_NAME_BYTES } from './codec.ts'
import type { Hub } from './hub.ts'
import type { Identity } from './identity.ts'
import { InboundMeter } from './inbound-meter.ts'
import { MAX_SPOKEN_BYTES, renderSpoken, type Spoken, sizeOf } from './spoken.ts'
import { PREFIX, parseTopic } from './topic-name.ts'
import { ROLE_TOPICS, TOPIC_RULES } from './topic-rules.ts'

/** One broadcast of a request. `topic` has no prefix. */
export interface OutgoingBroadcast {
  topic: string
  spoken: Spoken
}

/** Users whose budget is remembered; the oldest is forgotten first. */
const MAX_USERS = 10_000
/** What a client waits for after a refusal, in ms: as long as a budget takes to hold several messages again. */
const RETRY_MS = 1000

/**
 * Broadcasts that arrive over HTTP. They have the permissions and the budgets of a socket on a private topic: each user
 * has one such budget at each gateway, whatever the number of requests and sessions.
 */
export class HttpBroadcasts {
  readonly #hub: Hub
  readonly #meters = new Map<string, InboundMeter>()

  constructor(hub: Hub) {
    this.#hub = hub
  }

  /**
   * Sends all broadcasts, or throws and sends none: `validation_failed` for an unknown topic, a long event or a large
   * payload, `forbidden`, `rate_limited`.
   */
  send(identity: Identity, broadcasts: readonly OutgoingBroadcast[]): void {
    for (const broadcast of broadcasts) this.#check(identity, broadcast)
    this.#spend(identity, broadcasts)
    for (const { topic, spoken } of broadcasts) this.#publish(PREFIX + topic, spoken)
  }

  #check(identity: Identity, { topic, spoken }: OutgoingBroadcast): void {
    const name = parseTopic(PREFIX + topic)
    if (name === null) throw errors.validation('Unknown topic.')
    const { mayEnter, broadcasts } = TOPIC_RULES[name.kind]
    if (!mayEnter(name, identity, this.#hub.deps.identities)) {
      const roleTopic = ROLE_TOPICS.find((kind) => kind === name.kind)
      if (roleTopic !== undefined) this.#hub.deps.onRefusedRole(identity, roleTopic, 'broadcast')
      throw errors.notAllowed('You may not broadcast on this topic.')
    }
    if (broadcasts !== 'relay') throw errors.notAllowed('Clients do not broadcast on this topic.')
    if (Buffer.byteLength(spoken.event) > MAX_NAME_BYTES)
      throw errors.validation(`An event's name has at most ${MAX_NAME_BYTES} bytes.`)
    if (sizeOf(spoken) > MAX_SPOKEN_BYTES)
      throw errors.validation(`A broadcast has at most ${MAX_SPOKEN_BYTES} bytes.`)
  }

  /** Bytes count twice, as on a socket: when they are received, and when they are relayed. */
  #spend(identity: Identity, broadcasts: readonly OutgoingBroadcast[]): void {
    const { limits, metrics, now } = this.#hub.deps
    const bytes = broadcasts.reduce((sum, { spoken }) => sum + sizeOf(spoken), 0)
    const meter = this.#meterOf(identity.userId)
    const isWithin = meter.spend(broadcasts.length, now()) && meter.relay(2 * bytes, limits.private, now())
    if (!isWithin) throw tooManyRequests(RETRY_MS)
    for (const { topic, spoken } of broadcasts) {
      const found = this.#hub.topicAt(PREFIX + topic)
      if (found === undefined || found.mayRelay(sizeOf(spoken))) continue
      metrics.unrelayed.inc({ kind: found.name.kind })
      throw tooManyRequests(RETRY_MS)
    }
  }

  #meterOf(userId: string): InboundMeter {
    const known = this.#meters.get(userId)
    if (known !== undefined) return known
    const [oldest] = this.#meters.keys()
    if (this.#meters.size >= MAX_USERS && oldest !== undefined) this.#meters.delete(oldest)
    const { limits, now } = this.#hub.deps
    const meter = new InboundMeter(limits.messages, now())
    this.#meters.set(userId, meter)
    return meter
  }

  /** To the members here and at other gateways, who may have members when this one has none. */
  #publish(address: string, spoken: Spoken): void {
    this.#hub.topicAt(address)?.publish(renderSpoken(address, spoken))
    this.#hub.deps.peers.spoke(address, spoken)
  }
}
