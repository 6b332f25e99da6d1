import { durableName } from '@looptide/contracts/event-subscriptions'
import { type Envelope, type EventType, ownerOf } from '@looptide/contracts/events'
import { isOutage, isStatementTimeout } from '../http/errors.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { inSpan } from '../telemetry/tracing.ts'
import { pause } from '../time/pause.ts'
import { ConsumerLag } from './consumer-lag.ts'
import { decodeEvent, partsOf, RejectedMessage, storedBody } from './decode-envelope.ts'
import type { EventKeys } from './event-keys.ts'
import type { Inbox } from './inbox.ts'
import { type JsMsg, jetstream, type NatsConnection, stopConsuming } from './nats-client.ts'
import { messageAttributes } from './publish-envelope.ts'
import { RejectedMessages } from './rejected-messages.ts'
import { ACK_WAIT_MS } from './streams.ts'

/** One handler per event type that a service consumes; each is in its own file under `consumers/`. */
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
  /** Called after an event's transaction has committed, for example to refresh a cache. */
  afterApply?: (envelope: Envelope) => void
  /** Delays before an event is redelivered. */
  retry?: RetryDelays
}

export interface RetryDelays {
  /** Delay after the handler's `attempt`th failure (from 1), in ms. */
  faultMs: (attempt: number) => number
  outageMs: number
}

const MAX_TRIES = 5
const RETRY: RetryDelays = {
  faultMs: (attempt) => Math.min(30_000, 250 * 4 ** (attempt - 1)),
  outageMs: 1000,
}

/** An event, or a part of a bulk event, that cannot be applied. */
interface Failure {
  envelope: Envelope
  error: unknown
}

type ConsumeResult = 'applied' | 'duplicate' | 'ignored' | 'retry' | 'dead_lettered' | 'rejected'

/**
 * Reads one stream through the service's durable consumer. Events are handled one at a time and in order across all
 * replicas (`max_ack_pending` 1). The migration step creates the durable consumer; until then this class retries. During a
 * database outage an event is redelivered without limit. A failing handler is tried five times with growing delays; then
 * the event is dead-lettered, so that it does not block the others. The parts of a bulk event that fails are applied one by
 * one, and only those that fail again are retried and dead-lettered. A statement timeout counts as a handler failure if the
 * database accepts other writes. Messages not signed by their owner are never applied.
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
  /** Failures of the current event. The server's delivery count cannot be used: it also counts outages. */
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

  /** Updates the lag metrics. */
  async measure(): Promise<void> {
    await this.#lag.measure()
  }

  /** True if no event is pending or in progress. */
  async isIdle(): Promise<boolean> {
    return (await this.#lag.measure()) === 0 && !this.#busy
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#consume()
      } catch (error) {
        // Logged once: a missing stream would fill the log. The health check reports it.
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
    // `stop` was called during set-up, before the listener was added.
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
      const result = await this.#process(message)
      this.#deps.metrics.eventsConsumed.inc({ consumer: this.#durable, result })
      if (result !== 'retry') message.ack()
    } finally {
      clearInterval(keepAlive)
      this.#busy = false
    }
  }

  async #process(message: JsMsg): Promise<ConsumeResult> {
    // Events of other types are not validated.
    if (this.#deps.handlers[message.subject as EventType] === undefined) return 'ignored'
    const envelope = decodeEvent(message, this.#deps.keys, this.#stream)
    if (envelope instanceof RejectedMessage) return this.#reject(message, envelope)
    if (envelope instanceof Error) return this.#deadLetter(message, null, envelope)
    try {
      return await this.#apply(message, envelope)
    } catch (error) {
      const failures = await this.#applyParts(message, envelope, error)
      return failures.length === 0 ? 'applied' : this.#fail(message, envelope, failures)
    }
  }

  async #apply(message: JsMsg, envelope: Envelope): Promise<ConsumeResult> {
    const handler = this.#deps.handlers[envelope.type] as
      | ((context: Context, envelope: Envelope) => Promise<void>)
      | undefined
    if (handler === undefined) return 'ignored'
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
  }

  /** Applies the parts of a bulk event that has failed. Returns what cannot be applied: for another event, the event. */
  async #applyParts(message: JsMsg, envelope: Envelope, error: unknown): Promise<Failure[]> {
    const parts = partsOf(envelope)
    if (parts.length === 0 || (await this.#isOutage(error))) return [{ envelope, error }]
    const failures: Failure[] = []
    for (const part of parts) {
      try {
        await this.#apply(message, part)
      } catch (partError) {
        failures.push({ envelope: part, error: partError })
        if (await this.#isOutage(partError)) break
      }
    }
    const { logger } = this.#deps
    const counts = { parts: parts.length, failed: failures.length }
    logger.warn(
      { err: error, consumer: this.#durable, eventId: envelope.id, ...counts },
      'bulk event taken apart',
    )
    return failures
  }

  async #fail(message: JsMsg, { id }: Envelope, failures: readonly Failure[]): Promise<ConsumeResult> {
    for (const { error } of failures) {
      if (await this.#isOutage(error)) {
        message.nak(this.#retry.outageMs)
        return 'retry'
      }
    }
    const attempt = this.#faults.eventId === id ? this.#faults.count + 1 : 1
    this.#faults = { eventId: id, count: attempt }
    for (const { envelope, error } of failures) {
      const { logger } = this.#deps
      logger.error({ err: error, consumer: this.#durable, eventId: envelope.id, attempt }, 'event failed')
    }
    if (attempt < MAX_TRIES) {
      message.nak(this.#retry.faultMs(attempt))
      return 'retry'
    }
    for (const { envelope, error } of failures) {
      const result = await this.#deadLetter(message, envelope, error)
      if (result === 'retry') return result
    }
    return 'dead_lettered'
  }

  /** Counts a rejected message and stores it for an admin. */
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

  /** Whether the store is away. It is not if a statement timed out because of the handler: the store accepts other writes then. */
  async #isOutage(error: unknown): Promise<boolean> {
    return isOutage(error) && !(isStatementTimeout(error) && (await this.#deps.inbox.isWritable()))
  }

  async #deadLetter(message: JsMsg, envelope: Envelope | null, error: unknown): Promise<ConsumeResult> {
    const reason = error instanceof Error ? error.message : String(error)
    try {
      await this.#deps.inbox.deadLetter(
        this.#inboxConsumerName(message.subject as EventType),
        envelope?.type ?? message.subject,
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

/** The `consumer` of an inbox row: the service and the event's owner. It does not depend on the stream. */
export const inboxConsumerName = (service: string, type: EventType): string => `${service}--${ownerOf(type)}`
