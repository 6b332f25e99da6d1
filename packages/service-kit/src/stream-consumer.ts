import { durableName } from '@looptide/contracts/event-subscriptions'
import { type Envelope, type EventType, ownerOf } from '@looptide/contracts/events'
import { ConsumerLag } from './consumer-lag.ts'
import { decodeEvent, RejectedMessage, storedBody } from './decode-envelope.ts'
import { isOutage, isStatementTimeout } from './errors.ts'
import type { EventKeys } from './event-keys.ts'
import type { Inbox } from './inbox.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { pause } from './nats.ts'
import { type JsMsg, jetstream, type NatsConnection, stopConsuming } from './nats-client.ts'
import { messageAttributes } from './publish-envelope.ts'
import { RejectedMessages } from './rejected-messages.ts'
import { ACK_WAIT_MS } from './streams.ts'
import { inSpan } from './tracing.ts'

/** One function per event type a service listens to; each is in its own file under `consumers/`. */
export type EventHandlers<Context> = {
  [T in EventType]?: (context: Context, envelope: Envelope<T>) => Promise<void>
}

export interface ConsumerDeps<Context> {
  service: string
  nats: NatsConnection
  inbox: Inbox<Context>
  handlers: EventHandlers<Context>
  logger: Logger
  metrics: Metrics
  keys: Pick<EventKeys, 'checkSignature'>
  /** Runs after an event's transaction has committed: refresh memory, wake a loop. */
  afterApply?: (envelope: Envelope) => void
  /** How long an event rests after a fault or an outage, in ms. */
  retry?: RetryDelays
}

export interface RetryDelays {
  /** After the `attempt`th fault of the handler, counted from 1. */
  faultMs: (attempt: number) => number
  outageMs: number
}

const MAX_TRIES = 5
const RETRY: RetryDelays = {
  faultMs: (attempt) => Math.min(30_000, 250 * 4 ** (attempt - 1)),
  outageMs: 1000,
}

type ConsumeResult = 'applied' | 'duplicate' | 'ignored' | 'retry' | 'dead_lettered' | 'rejected'

/**
 * Reads one stream through the service's durable consumer, one event after another in their order, across all replicas
 * (`max_ack_pending` 1). The migration step creates the consumer; until it exists this one waits. A database outage delays
 * without limit. A fault of the handler, among them a statement that is too slow in a database that takes other writes, is
 * tried five times with growing pauses; then the event becomes a dead letter, so that it cannot block the rest. Messages
 * not signed by their owner are never applied.
 */
export class StreamConsumer<Context> {
  readonly #deps: ConsumerDeps<Context>
  readonly #stream: string
  readonly #durable: string
  readonly #lag: ConsumerLag
  readonly #rejected: RejectedMessages
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined
  #busy = false
  #isFailing = false
  readonly #retry: RetryDelays
  /** Faults of the event in hand. The server's delivery count also counts outages, which are not its fault. */
  #faults = { eventId: '', count: 0 }

  constructor(deps: ConsumerDeps<Context>, stream: string) {
    const { nats, logger, metrics, service } = deps
    this.#deps = deps
    this.#retry = deps.retry ?? RETRY
    this.#stream = stream
    this.#durable = durableName(service, stream)
    this.#lag = new ConsumerLag({ nats, metrics, stream, durable: this.#durable })
    this.#rejected = new RejectedMessages({ consumer: this.#durable, logger, metrics })
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Measures how far behind it is. */
  async measure(): Promise<void> {
    await this.#lag.measure()
  }

  /** True when nothing is waiting and nothing is in progress. */
  async isIdle(): Promise<boolean> {
    return (await this.#lag.measure()) === 0 && !this.#busy
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#consume()
      } catch (error) {
        // Once: a stream that is missing would fill the log. The health check shows that it is.
        if (!this.#isFailing)
          this.#deps.logger.warn({ err: error, consumer: this.#durable }, 'event consumer interrupted')
        this.#isFailing = true
      }
      await pause(300, this.#stop.signal)
    }
  }

  async #consume(): Promise<void> {
    const consumer = await jetstream(this.#deps.nats).consumers.get(this.#stream, this.#durable)
    const messages = await consumer.consume({
      max_messages: 1,
      expires: 5000,
      idle_heartbeat: 1000,
      abort_on_missing_resource: true,
    })
    this.#isFailing = false
    const stop = (): void => stopConsuming(messages)
    this.#stop.signal.addEventListener('abort', stop)
    // Told to stop while it was being set up: no event will tell again.
    if (this.#stop.signal.aborted) stop()
    try {
      for await (const message of messages) {
        await this.#handle(message)
        if (this.#stop.signal.aborted) break
      }
    } finally {
      this.#stop.signal.removeEventListener('abort', stop)
      stop()
    }
  }

  async #handle(message: JsMsg): Promise<void> {
    this.#busy = true
    const keepAlive = setInterval(() => message.working(), ACK_WAIT_MS / 3)
    try {
      const result = await this.#judge(message)
      this.#deps.metrics.eventsConsumed.inc({ consumer: this.#durable, result })
      if (result !== 'retry') message.ack()
    } finally {
      clearInterval(keepAlive)
      this.#busy = false
    }
  }

  async #judge(message: JsMsg): Promise<ConsumeResult> {
    // What we do not listen to is not ours to find fault with.
    if (this.#deps.handlers[message.subject as EventType] === undefined) return 'ignored'
    const envelope = decodeEvent(message, this.#deps.keys, this.#stream)
    if (envelope instanceof RejectedMessage) return this.#reject(message, envelope)
    if (envelope instanceof Error) return this.#deadLetter(message, null, envelope)
    const handler = this.#deps.handlers[envelope.type] as
      | ((context: Context, envelope: Envelope) => Promise<void>)
      | undefined
    if (handler === undefined) return 'ignored'
    try {
      const result = await inSpan(
        `process ${envelope.type}`,
        {
          kind: 'consumer',
          parent: message.headers?.get('traceparent'),
          attributes: {
            ...messageAttributes(envelope.type, envelope.id),
            'messaging.consumer.group.name': this.#durable,
          },
        },
        () =>
          this.#deps.inbox.applyOnce(this.#inboxConsumerName(envelope.type), envelope, (context) =>
            handler(context, envelope),
          ),
      )
      if (result === 'applied') this.#deps.afterApply?.(envelope)
      return result
    } catch (error) {
      return this.#fail(message, envelope, error)
    }
  }

  async #fail(message: JsMsg, envelope: Envelope, error: unknown): Promise<ConsumeResult> {
    if (isOutage(error) && !(await this.#isTooSlow(error))) {
      message.nak(this.#retry.outageMs)
      return 'retry'
    }
    const attempt = this.#faults.eventId === envelope.id ? this.#faults.count + 1 : 1
    this.#faults = { eventId: envelope.id, count: attempt }
    this.#deps.logger.error(
      { err: error, consumer: this.#durable, eventId: envelope.id, attempt },
      'an event failed',
    )
    if (attempt >= MAX_TRIES) return this.#deadLetter(message, envelope, error)
    message.nak(this.#retry.faultMs(attempt))
    return 'retry'
  }

  /** Counts it and keeps it for an admin, within bounds. */
  async #reject(message: JsMsg, error: RejectedMessage): Promise<ConsumeResult> {
    this.#rejected.count(message.subject, error)
    const { subject } = message
    try {
      const name = this.#inboxConsumerName(subject as EventType)
      await this.#deps.inbox.storeRejected(name, subject, storedBody(message), error.message)
      return 'rejected'
    } catch {
      message.nak(this.#retry.outageMs)
      return 'retry'
    }
  }

  #inboxConsumerName(type: EventType): string {
    return inboxConsumerName(this.#deps.service, type)
  }

  /** A statement that takes too long is the handler's fault if the store takes other writes meanwhile. */
  async #isTooSlow(error: unknown): Promise<boolean> {
    return isStatementTimeout(error) && (await this.#deps.inbox.isWritable())
  }

  async #deadLetter(message: JsMsg, envelope: Envelope | null, error: unknown): Promise<ConsumeResult> {
    const reason = error instanceof Error ? error.message : String(error)
    try {
      await this.#deps.inbox.deadLetter(
        this.#inboxConsumerName(message.subject as EventType),
        message.subject,
        envelope?.id ?? null,
        envelope ?? message.string(),
        reason,
      )
      return 'dead_lettered'
    } catch {
      message.nak(this.#retry.outageMs)
      return 'retry'
    }
  }
}

/** By which the inbox remembers an event: the service and the owner of the event, whatever stream it came by. */
export const inboxConsumerName = (service: string, type: EventType): string => `${service}--${ownerOf(type)}`
