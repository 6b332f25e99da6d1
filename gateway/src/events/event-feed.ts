import { type EventDefinition, type Push, toAdmins } from '@looptide/contracts/event'
import {
  type Envelope,
  EVENT_TYPES,
  EVENTS,
  type EventType,
  LIVE_SUBJECTS,
  MetadataProgress,
} from '@looptide/contracts/events'
import type { ChatMessage } from '@looptide/contracts/http/chat'
import { topics } from '@looptide/contracts/realtime'
import { LiveEvents, type LiveEventsDeps } from '@looptide/service-kit/events/live-events'
import type { LiveMessages } from '@looptide/service-kit/events/live-messages'
import { connectionChanges, type Subscription } from '@looptide/service-kit/events/nats-client'
import { parseJson } from '@looptide/service-kit/events/parse-json'
import { Compile } from 'typebox/compile'
import type { ChannelStateCache } from '../channels/channel-state-cache.ts'
import type { LastMessageSeqs } from '../channels/last-message-seqs.ts'
import type { SharedResponses } from '../fast-path/shared-responses.ts'
import { textFrame } from '../fast-path/websocket-frame.ts'
import { broadcastJson, encodeText } from '../realtime/protocol/codec.ts'
import { changeJson, insertedRow, type RowChange } from '../realtime/protocol/postgres-changes.ts'
import type { FrameEncoder } from '../realtime/topic/subscriber-group.ts'
import { TOPIC_PREFIX } from '../realtime/topic/topic-name.ts'
import { PacedPushes } from './paced-pushes.ts'

/** The hub, as far as events need it. */
interface EventHub {
  publish(topic: string, event: string, payload: unknown): void
  publishJson(topic: string, ...broadcasts: string[]): void
  hasMembers(topic: string): boolean
  publishEncoded(topic: string, encode: FrameEncoder): void
  channelsOf(kind: 'chat'): string[]
}

interface EventFeedDeps extends LiveEventsDeps {
  live: LiveMessages
  hub: EventHub
  states: ChannelStateCache
  lastMessageSeqs: LastMessageSeqs
  shared: Pick<SharedResponses, 'invalidate' | 'invalidateAll'>
}

/** The events that cause pushes. */
export const PUSHED_EVENTS: readonly EventType[] = EVENT_TYPES.filter(
  (type) => EVENTS[type].push !== undefined,
)

function pushesFor<T extends EventType>(envelope: Envelope<T>): Push[] {
  const { push }: EventDefinition = EVENTS[envelope.type]
  return push?.(envelope.data, envelope) ?? []
}

/** Interval of the comparison with chat that detects missed events, in ms. */
const VERIFY_INTERVAL_MS = 30_000
const isProgress = Compile(MetadataProgress)

/**
 * Receives events as they are published (a JetStream publish is an ordinary NATS message too) and publishes them to the
 * topics. Delivery is not guaranteed. After a NATS outage, and periodically, the state that clients rely on is compared
 * with its owner, and clients fetch what they missed.
 */
export class EventFeed {
  readonly #deps: EventFeedDeps
  readonly #events: LiveEvents
  readonly #paced: PacedPushes
  #progress: Subscription | undefined
  #verifyTimer: NodeJS.Timeout | undefined

  constructor(deps: EventFeedDeps) {
    this.#deps = deps
    this.#events = new LiveEvents(deps)
    this.#paced = new PacedPushes({
      hasMembers: (topic) => deps.hub.hasMembers(topic),
      publishTogether: (topic, pushes) =>
        deps.hub.publishJson(
          topic,
          ...pushes.map(({ event, payload }) => broadcastJson(event, JSON.stringify(payload))),
        ),
    })
  }

  start(): void {
    const { live, hub, lastMessageSeqs } = this.#deps
    this.#events.listen(PUSHED_EVENTS, (envelope) => this.apply(envelope))
    this.#progress = live.subscribe(LIVE_SUBJECTS.metadataProgress, (bytes) => this.#publishProgress(bytes))
    this.#verifyTimer = setInterval(
      () => void lastMessageSeqs.verify(hub.channelsOf('chat')),
      VERIFY_INTERVAL_MS,
    )
    this.#verifyTimer.unref()
    void this.#watchConnection()
  }

  stop(): void {
    clearInterval(this.#verifyTimer)
    this.#events.stop()
    this.#paced.stop()
    this.#progress?.unsubscribe()
  }

  /** Applies one event and publishes it. */
  apply(envelope: Envelope): void {
    this.#updateState(envelope)
    for (const push of pushesFor(envelope)) this.#paced.push(push)
  }

  /** Updates what the gateway holds in memory. */
  #updateState(envelope: Envelope): void {
    const { states, shared } = this.#deps
    const { outdates }: EventDefinition = EVENTS[envelope.type]
    if (outdates !== undefined) shared.invalidate(outdates)
    if (is(envelope, 'chat.message.posted.v1')) {
      this.#messagePosted(envelope.data.message)
    } else if (is(envelope, 'chat.messages.posted.v1')) {
      for (const message of envelope.data.messages) this.#messagePosted(message)
    } else if (is(envelope, 'chat.message.removed.v1')) {
      const { channelId, messageId, seq } = envelope.data
      const record = { id: messageId, channel_id: channelId, seq }
      this.#publishChange(channelId, { type: 'DELETE', commitTimestamp: envelope.occurredAt, record })
    } else if (is(envelope, 'chat.message.restored.v1')) {
      const { message } = envelope.data
      this.#publishChange(message.channelId, insertedRow(message))
    } else if (is(envelope, 'stream.timeline.changed.v1')) {
      states.timelineChanged(envelope.data.channelId, envelope.data.timelineVersion)
    } else if (is(envelope, 'stream.status.changed.v1')) {
      states.statusChanged(envelope.data.channelId, envelope.data.status)
    } else if (is(envelope, 'stream.channel.created.v1')) {
      states.channelCreated(envelope.data.channelId)
    } else if (is(envelope, 'stream.channel.deleted.v1')) {
      states.delete(envelope.data.channelId)
    }
  }

  #messagePosted(message: ChatMessage): void {
    this.#deps.lastMessageSeqs.update(message.channelId, message.seq)
    this.#publishChange(message.channelId, insertedRow(message))
  }

  /** Publishes a row change to the members of a chat topic with matching `postgres_changes` bindings. */
  #publishChange(channelId: string, change: RowChange): void {
    const topic = topics.chat(channelId)
    const encode: FrameEncoder = ({ version, bindings }) => {
      const json = bindings === null ? null : changeJson(bindings, change)
      if (json === null) return null
      return textFrame(encodeText(version, null, null, TOPIC_PREFIX + topic, 'postgres_changes', json))
    }
    this.#deps.hub.publishEncoded(topic, encode)
  }

  #publishProgress(bytes: Uint8Array): void {
    // An import causes thousands, mostly without an admin who watches.
    if (!this.#deps.hub.hasMembers(topics.admin)) return
    const progress = parseJson(bytes)
    if (!isProgress.Check(progress)) return
    // Pages count the look-ups whose start they have seen, so a state does not replace another one.
    this.#paced.push(toAdmins('metadata', progress, `metadata ${progress.state} ${progress.youtubeId}`))
  }

  async #watchConnection(): Promise<void> {
    for await (const change of connectionChanges(this.#deps.nats)) if (change === 'reconnect') this.resync()
  }

  /** Fetches all state from its owners and makes clients compare theirs. For use after a NATS outage. */
  resync(): void {
    const { hub, states, lastMessageSeqs, shared } = this.#deps
    shared.invalidateAll()
    states.refreshAll()
    void lastMessageSeqs.refresh(hub.channelsOf('chat'))
    hub.publish(topics.station, 'channels', {})
    hub.publish(topics.station, 'home', {})
    hub.publish(topics.guide, 'changed', {})
  }
}

const is = <T extends EventType>(envelope: Envelope, type: T): envelope is Envelope<T> =>
  envelope.type === type
