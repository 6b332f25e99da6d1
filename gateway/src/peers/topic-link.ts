import { LIVE_SUBJECTS } from '@looptide/contracts/events'
import type { Subscription } from '@looptide/service-kit/nats-client'
import { type PresenceChange, type PresenceEntry, presenceDiff } from '../realtime/presence.ts'
import { pushed } from '../realtime/render.ts'
import { renderSpoken, type Spoken } from '../realtime/spoken.ts'
import type { Topic } from '../realtime/topic.ts'
import { PREFIX } from '../realtime/topic-name.ts'
import type { TopicPeers } from '../realtime/topic-peers.ts'
import { TOPIC_RULES } from '../realtime/topic-rules.ts'
import { decodeNote, encodeNote, type PeerNote } from './peer-note.ts'
import type { Peers } from './peers.ts'

/** Who is tracked here is said again this often, to mend what was not heard. */
const STATE_MS = 10_000

interface Link {
  topic: Topic
  subscription: Subscription
  asked: boolean
}

/**
 * Joins the parts of a topic whose members have their sockets with several gateways. Only topics on which members
 * speak or show that they are there (a person's own, and the admins') are linked, each by a subject of its own: what is
 * said goes to the gateways where somebody listens and to no other. Topics of many strangers cost nothing here.
 *
 * Each gateway owns the presences of its sockets and tells the others changes, its whole state when asked, when a
 * gateway arrives and every ten seconds; what a gateway said is forgotten with the gateway.
 */
export class TopicLink implements TopicPeers {
  readonly #peers: Peers
  /** By the topic's address. */
  readonly #links = new Map<string, Link>()
  /** Links with somebody tracked here. */
  readonly #tracked = new Set<Link>()
  #ticker: NodeJS.Timeout | undefined

  constructor(peers: Peers) {
    this.#peers = peers
  }

  start(): void {
    this.#peers.listen({ arrived: () => this.tick(), gone: (gatewayId) => this.#forget(gatewayId) })
    this.#ticker = setInterval(() => this.tick(), STATE_MS)
    this.#ticker.unref()
  }

  stop(): void {
    clearInterval(this.#ticker)
    for (const { subscription } of this.#links.values()) subscription.unsubscribe()
  }

  /** Says again who is tracked here. */
  tick(): void {
    for (const link of this.#tracked) this.#tellState(link)
  }

  opened(topic: Topic): void {
    const { broadcasts, presence } = TOPIC_RULES[topic.name.kind]
    if (broadcasts !== 'relay' && !presence) return
    const subscription = this.#peers.subscribe(subjectOf(topic.address), (bytes) =>
      this.#hear(topic.address, bytes),
    )
    this.#links.set(topic.address, { topic, subscription, asked: false })
  }

  closed(topic: Topic): void {
    const link = this.#links.get(topic.address)
    if (link === undefined) return
    link.subscription.unsubscribe()
    this.#links.delete(topic.address)
    this.#tracked.delete(link)
  }

  spoke(address: string, spoken: Spoken): void {
    const [words, isJson] = 'json' in spoken ? [spoken.json, true] : [spoken.bytes, false]
    this.#send(address, { from: this.#peers.id, kind: 'spoken', event: spoken.event, isJson }, words)
  }

  presenceWanted(topic: Topic): void {
    const link = this.#links.get(topic.address)
    if (link === undefined || link.asked) return
    link.asked = true
    this.#send(topic.address, { from: this.#peers.id, kind: 'ask' })
  }

  presenceChanged(topic: Topic, { joins, leaves }: PresenceChange): void {
    const link = this.#links.get(topic.address)
    if (link === undefined) return
    if (topic.presence.own().length > 0) this.#tracked.add(link)
    else this.#tracked.delete(link)
    this.#send(topic.address, {
      from: this.#peers.id,
      kind: 'change',
      joins: [...joins],
      leaves: [...leaves],
    })
  }

  #send(address: string, note: PeerNote, words?: string | Uint8Array): void {
    this.#peers.send(subjectOf(address), encodeNote(note, words))
  }

  #tellState({ topic }: Link): void {
    this.#send(topic.address, { from: this.#peers.id, kind: 'state', entries: topic.presence.own() })
  }

  #hear(address: string, bytes: Uint8Array): void {
    const heard = decodeNote(bytes)
    const link = this.#links.get(address)
    if (heard === null || link === undefined || !this.#peers.heard(heard.note.from)) return
    this.#take(link, heard.note, heard.words)
  }

  #take(link: Link, note: PeerNote, words: Buffer): void {
    const { topic } = link
    if (note.kind === 'spoken') {
      if (!topic.mayRelay(words.length)) return
      const { event, isJson } = note
      const spoken: Spoken = isJson ? { event, json: words.toString() } : { event, bytes: words }
      topic.publish(renderSpoken(topic.address, spoken))
    } else if (note.kind === 'ask') this.#tellState(link)
    else if (note.kind === 'state')
      tellMembers(topic, topic.presence.takeState(note.from, note.entries as PresenceEntry[]))
    else tellMembers(topic, topic.presence.takeChange(note.from, note as PresenceChange))
  }

  #forget(gatewayId: string): void {
    for (const { topic } of this.#links.values()) tellMembers(topic, topic.presence.takeState(gatewayId, []))
  }
}

const subjectOf = (address: string): string => LIVE_SUBJECTS.topic(address.slice(PREFIX.length))

function tellMembers(topic: Topic, change: PresenceChange | null): void {
  if (change !== null)
    topic.publish(pushed(topic.address, 'presence_diff', JSON.stringify(presenceDiff(change))))
}
