import { LIVE_SUBJECTS } from '@looptide/contracts/events'
import type { Subscription } from '@looptide/service-kit/events/nats-client'
import { broadcastEncoder, type MemberBroadcast } from '../realtime/topic/member-broadcast.ts'
import { type PresenceChange, type PresenceEntry, presenceDiff } from '../realtime/topic/presence.ts'
import { pushEncoder } from '../realtime/topic/push-encoder.ts'
import type { Topic } from '../realtime/topic/topic.ts'
import { TOPIC_PREFIX } from '../realtime/topic/topic-name.ts'
import type { TopicPeers } from '../realtime/topic/topic-peers.ts'
import { TOPIC_RULES } from '../realtime/topic/topic-rules.ts'
import { decodePeerMessage, encodePeerMessage, type PeerMessage } from './peer-message.ts'
import type { Peers } from './peers.ts'

/** Interval at which the presence state is sent again, to correct lost messages, in ms. */
const STATE_INTERVAL_MS = 10_000

interface BridgedTopic {
  topic: Topic
  subscription: Subscription
  isStateRequested: boolean
}

/**
 * Connects the members of a topic that are at different gateways. Only topics with broadcasts or presence (those of one
 * user, and of the admins) are bridged, each with a NATS subject of its own. A message reaches only gateways with members
 * of its topic, and topics with many viewers cost nothing here.
 *
 * Each gateway owns the presence of its members. It sends changes, and its whole state on request, when a gateway starts,
 * and every ten seconds. The state of a gateway is discarded with the gateway.
 */
export class TopicBridge implements TopicPeers {
  readonly #peers: Peers
  /** By topic key. */
  readonly #bridged = new Map<string, BridgedTopic>()
  /** Topics with members whose presence is tracked at this gateway. */
  readonly #tracked = new Set<BridgedTopic>()
  #timer: NodeJS.Timeout | undefined

  constructor(peers: Peers) {
    this.#peers = peers
  }

  start(): void {
    this.#peers.listen({
      onPeerStarted: () => this.sendStates(),
      onPeerLost: (gatewayId) => this.#removePeer(gatewayId),
    })
    this.#timer = setInterval(() => this.sendStates(), STATE_INTERVAL_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const { subscription } of this.#bridged.values()) subscription.unsubscribe()
  }

  /** Sends the presence state of every topic with tracked members. */
  sendStates(): void {
    for (const bridged of this.#tracked) this.#sendState(bridged)
  }

  topicOpened(topic: Topic): void {
    const { broadcasts, presence } = TOPIC_RULES[topic.name.kind]
    if (broadcasts !== 'relay' && !presence) return
    const subscription = this.#peers.subscribe(subjectOf(topic.key), (bytes) =>
      this.#receive(topic.key, bytes),
    )
    this.#bridged.set(topic.key, { topic, subscription, isStateRequested: false })
  }

  topicClosed(topic: Topic): void {
    const bridged = this.#bridged.get(topic.key)
    if (bridged === undefined) return
    bridged.subscription.unsubscribe()
    this.#bridged.delete(topic.key)
    this.#tracked.delete(bridged)
  }

  relayBroadcast(topicKey: string, broadcast: MemberBroadcast): void {
    const [payload, isJson] = 'json' in broadcast ? [broadcast.json, true] : [broadcast.bytes, false]
    const { event } = broadcast
    this.#send(topicKey, { from: this.#peers.id, kind: 'broadcast', event, isJson }, payload)
  }

  requestPresence(topic: Topic): void {
    const bridged = this.#bridged.get(topic.key)
    if (bridged === undefined || bridged.isStateRequested) return
    bridged.isStateRequested = true
    this.#send(topic.key, { from: this.#peers.id, kind: 'state_request' })
  }

  presenceChanged(topic: Topic, { joins, leaves }: PresenceChange): void {
    const bridged = this.#bridged.get(topic.key)
    if (bridged === undefined) return
    if (topic.presence.local().length > 0) this.#tracked.add(bridged)
    else this.#tracked.delete(bridged)
    this.#send(topic.key, {
      from: this.#peers.id,
      kind: 'change',
      joins: [...joins],
      leaves: [...leaves],
    })
  }

  #send(topicKey: string, message: PeerMessage, payload?: string | Uint8Array): void {
    this.#peers.send(subjectOf(topicKey), encodePeerMessage(message, payload))
  }

  #sendState({ topic }: BridgedTopic): void {
    this.#send(topic.key, { from: this.#peers.id, kind: 'state', entries: topic.presence.local() })
  }

  #receive(topicKey: string, bytes: Uint8Array): void {
    const received = decodePeerMessage(bytes)
    const bridged = this.#bridged.get(topicKey)
    if (received === null || bridged === undefined) return
    if (this.#peers.recordActivity(received.message.from))
      this.#apply(bridged, received.message, received.payload)
  }

  #apply(bridged: BridgedTopic, message: PeerMessage, payload: Buffer): void {
    const { topic } = bridged
    if (message.kind === 'broadcast') {
      if (!topic.mayRelay(payload.length)) return
      const { event, isJson } = message
      const broadcast = isJson ? { event, json: payload.toString() } : { event, bytes: payload }
      topic.publish(broadcastEncoder(topic.key, broadcast))
    } else if (message.kind === 'state_request') this.#sendState(bridged)
    else if (message.kind === 'state')
      publishDiff(topic, topic.presence.applyState(message.from, message.entries as PresenceEntry[]))
    else publishDiff(topic, topic.presence.applyChange(message.from, message as PresenceChange))
  }

  #removePeer(gatewayId: string): void {
    for (const { topic } of this.#bridged.values())
      publishDiff(topic, topic.presence.applyState(gatewayId, []))
  }
}

const subjectOf = (topicKey: string): string => LIVE_SUBJECTS.topic(topicKey.slice(TOPIC_PREFIX.length))

/** Publishes a change that another gateway reported to the members at this gateway. */
function publishDiff(topic: Topic, change: PresenceChange | null): void {
  if (change !== null)
    topic.publish(pushEncoder(topic.key, 'presence_diff', JSON.stringify(presenceDiff(change))))
}
