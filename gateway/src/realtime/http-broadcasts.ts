import { errors } from '@looptide/service-kit/http/errors'
import type { ClientNetwork } from '@looptide/service-kit/limits/client-network'
import { tooManyRequests } from '../http/local-limits.ts'
import type { NetworkBuckets } from '../limits/network-buckets.ts'
import { InboundMeter } from './connection/inbound-meter.ts'
import type { HandlerDeps } from './handlers/handler-context.ts'
import type { HubLimits } from './hub-limits.ts'
import type { Identity } from './identity.ts'
import { MAX_NAME_BYTES } from './protocol/codec.ts'
import {
  broadcastEncoder,
  broadcastSize,
  MAX_BROADCAST_BYTES,
  type MemberBroadcast,
} from './topic/member-broadcast.ts'
import type { Topic } from './topic/topic.ts'
import { parseTopic, TOPIC_PREFIX } from './topic/topic-name.ts'
import { DEVICE_REFUSAL, findRoleTopic, mayBroadcast, TOPIC_RULES } from './topic/topic-rules.ts'

/** The hub, as far as broadcasts over HTTP need it. */
export interface BroadcastHub {
  readonly deps: Pick<HandlerDeps, 'identities' | 'peers' | 'metrics' | 'onRefusedRole' | 'now'> & {
    readonly limits: Pick<HubLimits, 'messages' | 'private'>
  }
  /** Bytes that the station sends because of each network. */
  readonly answered: NetworkBuckets
  findTopic(topicKey: string): Topic | undefined
}

/** The sender of broadcasts over HTTP. */
export interface Broadcaster {
  identity: Identity
  client: ClientNetwork
}

/** One broadcast of a request. `topic` has no prefix. */
interface OutgoingBroadcast {
  topic: string
  broadcast: MemberBroadcast
}

/** Number of users whose budget is kept. The oldest is evicted first. */
const MAX_USERS = 10_000
/** `Retry-After` of a refusal, in ms. In this time, a budget regains room for several messages. */
const RETRY_MS = 1000

/**
 * Broadcasts received over HTTP. They have the permissions and the budgets of a socket on a private topic. Each user has
 * one budget at each gateway, independent of the number of requests and sessions.
 */
export class HttpBroadcasts {
  readonly #hub: BroadcastHub
  readonly #meters = new Map<string, InboundMeter>()

  constructor(hub: BroadcastHub) {
    this.#hub = hub
  }

  /**
   * Sends all broadcasts, or throws and sends none: `validation_failed` for an unknown topic, a long event or a large
   * payload, `forbidden`, `rate_limited`.
   */
  send(sender: Broadcaster, broadcasts: readonly OutgoingBroadcast[]): void {
    for (const broadcast of broadcasts) this.#check(sender, broadcast)
    this.#spend(sender, broadcasts)
    for (const { topic, broadcast } of broadcasts) this.#publish(TOPIC_PREFIX + topic, broadcast)
  }

  #check({ identity, client }: Broadcaster, { topic, broadcast }: OutgoingBroadcast): void {
    const name = parseTopic(TOPIC_PREFIX + topic)
    if (name === null) throw errors.validation('Unknown topic.')
    const { mayJoin, broadcasts } = TOPIC_RULES[name.kind]
    if (!mayJoin(name, identity, this.#hub.deps.identities)) {
      const roleTopic = findRoleTopic(name)
      if (roleTopic !== undefined) this.#hub.deps.onRefusedRole(identity, client, roleTopic, 'broadcast')
      throw errors.notAllowed('You may not broadcast on this topic.')
    }
    if (broadcasts !== 'relay') throw errors.notAllowed('Clients cannot broadcast on this topic.')
    if (!mayBroadcast(identity, broadcast.event)) throw errors.notAllowed(DEVICE_REFUSAL)
    if (Buffer.byteLength(broadcast.event) > MAX_NAME_BYTES)
      throw errors.validation(`An event name has at most ${MAX_NAME_BYTES} bytes.`)
    if (broadcastSize(broadcast) > MAX_BROADCAST_BYTES)
      throw errors.validation(`A broadcast has at most ${MAX_BROADCAST_BYTES} bytes.`)
  }

  /** Counts bytes twice, as on a socket: when they are received and when they are relayed. */
  #spend({ identity, client }: Broadcaster, broadcasts: readonly OutgoingBroadcast[]): void {
    const { limits, metrics, now } = this.#hub.deps
    const bytes = broadcasts.reduce((sum, { broadcast }) => sum + broadcastSize(broadcast), 0)
    const meter = this.#meterOf(identity.userId)
    const isWithin = meter.spend(broadcasts.length, now()) && meter.relay(2 * bytes, limits.private, now())
    if (!isWithin) throw tooManyRequests(RETRY_MS)
    for (const { topic, broadcast } of broadcasts) {
      const found = this.#hub.findTopic(TOPIC_PREFIX + topic)
      if (found === undefined) continue
      const size = broadcastSize(broadcast)
      const isWithinNetwork = this.#hub.answered.take(client, now(), found.copiesOf(size)) === 0
      if (isWithinNetwork && found.mayRelay(size)) continue
      metrics.broadcastsDropped.inc({ kind: found.name.kind })
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

  /** Publishes to members at this gateway and at the others, which may have members when this one has none. */
  #publish(topicKey: string, broadcast: MemberBroadcast): void {
    this.#hub.findTopic(topicKey)?.publish(broadcastEncoder(topicKey, broadcast))
    this.#hub.deps.peers.relayBroadcast(topicKey, broadcast)
  }
}
