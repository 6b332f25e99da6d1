import { type Envelope, type EventType, LIVE_SUBJECTS, MetadataProgress } from '@looptide/contracts/events'
import { topics } from '@looptide/contracts/realtime'
import { LiveEvents, type LiveEventsDeps } from '@looptide/service-kit/live-events'
import { connectionChanges, type Msg, type Subscription } from '@looptide/service-kit/nats-client'
import { Check } from 'typebox/value'
import type { ChannelStates } from '../channels/channel-states.ts'
import type { ChatMarks } from '../channels/chat-marks.ts'
import type { ServiceName } from '../config.ts'
import type { SharedAnswers } from '../http/shared-answers.ts'
import { encodeText } from '../realtime/codec.ts'
import type { Hub } from '../realtime/hub.ts'
import { changeJson, insertedRow, type RowChange } from '../realtime/postgres-changes.ts'
import type { Render } from '../realtime/topic.ts'
import { PREFIX } from '../realtime/topic-name.ts'
import { textFrame } from '../realtime/websocket-frame.ts'
import { EVENT_ROUTES, pushesFor } from './event-routes.ts'

export interface EventFeedDeps extends LiveEventsDeps {
  hub: Hub
  states: ChannelStates
  marks: ChatMarks
  shared: Pick<SharedAnswers, 'forget' | 'forgetAll'>
}

/** Whose answers are not true any more when an event of this owner has been heard (of those that are: EVENT_ROUTES). */
const SHARED_OF: Partial<Record<string, ServiceName>> = {
  catalogue: 'catalogue',
  stream: 'stream-scheduler',
  chat: 'chat',
  admin: 'admin-audit',
}

/** Every so often we ask chat whether a message has escaped us. */
const VERIFY_MS = 30_000

/**
 * Hears events as they are published (a JetStream publish is an ordinary message too) and passes them
 * to the topics. Hearing is not guaranteed, so after NATS was away, and now and then, what clients
 * count on is compared with its owner; clients then fetch what they missed.
 */
export class EventFeed {
  readonly #deps: EventFeedDeps
  readonly #live: LiveEvents
  #progress: Subscription | undefined
  #verifier: NodeJS.Timeout | undefined

  constructor(deps: EventFeedDeps) {
    this.#deps = deps
    this.#live = new LiveEvents(deps)
  }

  start(): void {
    const { nats, hub, marks, logger } = this.#deps
    this.#live.listen(Object.keys(EVENT_ROUTES) as EventType[], (envelope) => this.apply(envelope))
    this.#progress = nats.subscribe(LIVE_SUBJECTS.metadataProgress, {
      callback: (error, message) => {
        if (error === null) this.#takeProgress(message)
        else logger.warn({ err: error, subject: LIVE_SUBJECTS.metadataProgress }, 'subscription failed')
      },
    })
    this.#verifier = setInterval(() => void marks.verify(hub.channelsOf('chat')), VERIFY_MS)
    this.#verifier.unref()
    void this.#watchConnection()
  }

  stop(): void {
    clearInterval(this.#verifier)
    this.#live.stop()
    this.#progress?.unsubscribe()
  }

  /** Passes one event on. */
  apply(envelope: Envelope): void {
    this.#learn(envelope)
    for (const { topic, event, payload } of pushesFor(envelope)) this.#deps.hub.publish(topic, event, payload)
  }

  /** What the gateway itself remembers of an event. */
  #learn(envelope: Envelope): void {
    const { states, marks, shared } = this.#deps
    const changed = SHARED_OF[envelope.type.split('.')[0] ?? '']
    // A programme that starts was in the guide before, but not in the air log.
    if (envelope.type === 'stream.programme.started.v1') shared.forget('air-log')
    else if (changed !== undefined) shared.forget(changed)
    if (is(envelope, 'chat.message.posted.v1')) {
      const { message } = envelope.data
      marks.saw(message.channelId, message.seq)
      this.#publishChange(message.channelId, insertedRow(message))
    } else if (is(envelope, 'chat.message.removed.v1')) {
      const { channelId, messageId, seq } = envelope.data
      const record = { id: messageId, channel_id: channelId, seq }
      this.#publishChange(channelId, { type: 'DELETE', commitTimestamp: envelope.occurredAt, record })
    } else if (is(envelope, 'stream.timeline.changed.v1')) {
      states.timelineChanged(envelope.data.channelId, envelope.data.timelineVersion)
    } else if (is(envelope, 'stream.status.changed.v1')) {
      states.statusChanged(envelope.data.channelId, envelope.data.status)
    } else if (is(envelope, 'stream.channel.created.v1')) {
      states.allow(envelope.data.channelId)
    } else if (is(envelope, 'stream.channel.deleted.v1')) {
      states.forget(envelope.data.channelId)
    }
  }

  /** To the members of a chat topic who watch its table. */
  #publishChange(channelId: string, change: RowChange): void {
    const topic = topics.chat(channelId)
    const render: Render = ({ version, bindings }) => {
      const json = bindings === null ? null : changeJson(bindings, change)
      if (json === null) return null
      return textFrame(encodeText(version, null, null, PREFIX + topic, 'postgres_changes', json))
    }
    this.#deps.hub.publishRendered(topic, render)
  }

  #takeProgress(message: Msg): void {
    try {
      const progress: unknown = JSON.parse(message.string())
      if (Check(MetadataProgress, progress)) this.#deps.hub.publish(topics.admin, 'metadata', progress)
    } catch (error) {
      this.#deps.logger.warn({ err: error }, 'a progress message made no sense')
    }
  }

  async #watchConnection(): Promise<void> {
    for await (const change of connectionChanges(this.#deps.nats)) if (change === 'reconnect') this.resync()
  }

  /** After NATS was away: asks owners for the truth and tells clients to compare. */
  resync(): void {
    const { hub, states, marks, shared } = this.#deps
    shared.forgetAll()
    states.refreshAll()
    void marks.refresh(hub.channelsOf('chat'))
    hub.publish(topics.station, 'channels', {})
    hub.publish(topics.station, 'home', {})
    hub.publish(topics.guide, 'changed', {})
  }
}

const is = <T extends EventType>(envelope: Envelope, type: T): envelope is Envelope<T> =>
  envelope.type === type
