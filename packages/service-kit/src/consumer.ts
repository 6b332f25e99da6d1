import {
  type Envelope,
  EnvelopeShape,
  EVENTS,
  type EventType,
  type Owner,
  ownerOf,
  streamName,
} from '@looptide/contracts/events'
import { AckPolicy, DeliverPolicy, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { Check } from 'typebox/value'
import { isOutage, isStatementTimeout } from './errors.ts'
import type { Inbox } from './inbox.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { ensureStreams, pause } from './nats.ts'
import { messageAttributes } from './publish-envelope.ts'
import { inSpan } from './tracing.ts'

/** One function per event type a service listens to; each stands in its own file under `consumers/`. */
export type EventHandlers<Context> = {
  [T in EventType]?: (context: Context, envelope: Envelope<T>) => Promise<void>
}

interface ConsumerDeps<Context> {
  service: string
  nats: NatsConnection
  inbox: Inbox<Context>
  handlers: EventHandlers<Context>
  logger: Logger
  metrics: Metrics
  /** Runs after an event's transaction has committed: refresh memory, wake a loop. */
  afterApply?: (envelope: Envelope) => void
  /** How long an event rests after a fault or an outage, in ms. */
  retry?: RetryDelays
  /** On how many NATS servers a stream is kept that has to be made anew. */
  natsReplicas?: number
}

export interface RetryDelays {
  /** After the `attempt`th fault of the handler, counted from 1. */
  faultMs: (attempt: number) => number
  outageMs: number
}

/** Runs the effect of a dead letter's event unless it was run before; answers whether it ran. */
export type ApplyLetter<Context> = (effect: (context: Context) => Promise<void>) => Promise<boolean>

const MAX_TRIES = 5
/** How long an event rests that was on its way to a process that is gone. */
const ACK_WAIT_MS = 3000
const RETRY: RetryDelays = {
  faultMs: (attempt) => Math.min(30_000, 250 * 4 ** (attempt - 1)),
  outageMs: 1000,
}

type Verdict = 'applied' | 'duplicate' | 'ignored' | 'retry' | 'buried'

/**
 * Takes events from one owner's stream, one after another in their order, across all replicas
 * (`max_ack_pending` 1). An outage of the store delays without limit. A fault of the handler, a statement that is too
 * slow in a store that takes other writes among them, is tried five times with growing pauses; then the event becomes a
 * dead letter, so that it cannot hold up the rest.
 */
class OwnerConsumer<Context> {
  readonly #deps: ConsumerDeps<Context>
  readonly #owner: Owner
  /** Stays the same whatever the service listens to: the inbox remembers by it. */
  readonly #name: string
  readonly #durable: string
  readonly #filter: string
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined
  #busy = false
  readonly #retry: RetryDelays
  /** Faults of the event in hand. The server's delivery count also counts outages, which are not its fault. */
  #faults = { eventId: '', count: 0 }

  constructor(deps: ConsumerDeps<Context>, owner: Owner, types: readonly EventType[]) {
    this.#deps = deps
    this.#retry = deps.retry ?? RETRY
    this.#owner = owner
    this.#name = consumerName(deps.service, owner)
    // One subject: let the server filter. Several: take the owner's whole stream and pass over the rest
    // (one consumer can only have one filter before NATS 2.10, and one consumer keeps the order).
    const only = types.length === 1 ? types[0] : undefined
    this.#filter = only ?? `${owner}.>`
    // NATS 2.9 delivers nothing more to a consumer whose filter is changed. A version that listens to more
    // therefore asks for another one, from the stream's beginning; the inbox knows what was applied.
    this.#durable = only === undefined ? this.#name : `${deps.service}--${only.replaceAll('.', '-')}`
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Nothing waiting and nothing in hand. */
  async isIdle(): Promise<boolean> {
    const manager = await jetstreamManager(this.#deps.nats)
    const info = await manager.consumers.info(streamName(this.#owner), this.#durable)
    this.#deps.metrics.consumerLag.set({ consumer: this.#name }, info.num_pending)
    return info.num_pending === 0 && info.num_ack_pending === 0 && !this.#busy
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#consume()
      } catch (error) {
        this.#deps.logger.warn({ err: error, consumer: this.#name }, 'the consumer starts over')
      }
      await pause(300, this.#stop.signal)
    }
  }

  async #consume(): Promise<void> {
    const manager = await jetstreamManager(this.#deps.nats)
    await ensureStreams(manager, [this.#owner], this.#deps.natsReplicas)
    await manager.consumers.add(streamName(this.#owner), {
      durable_name: this.#durable,
      filter_subject: this.#filter,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: 1,
      max_deliver: -1,
    })
    const consumer = await jetstream(this.#deps.nats).consumers.get(streamName(this.#owner), this.#durable)
    // A stream or consumer that is gone (a wiped store) must end the loop, for only this function makes both.
    const messages = await consumer.consume({
      max_messages: 1,
      expires: 5000,
      idle_heartbeat: 1000,
      abort_on_missing_resource: true,
    })
    const stop = (): void => {
      void messages.close()
    }
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
      await messages.close()
    }
  }

  async #handle(message: JsMsg): Promise<void> {
    this.#busy = true
    const keepAlive = setInterval(() => message.working(), ACK_WAIT_MS / 3)
    try {
      const verdict = await this.#judge(message)
      this.#deps.metrics.eventsConsumed.inc({ consumer: this.#name, result: verdict })
      if (verdict !== 'retry') message.ack()
    } finally {
      clearInterval(keepAlive)
      this.#busy = false
    }
  }

  async #judge(message: JsMsg): Promise<Verdict> {
    // What we do not listen to is not ours to find fault with.
    if (this.#deps.handlers[message.subject as EventType] === undefined) return 'ignored'
    const envelope = decode(message)
    if (envelope instanceof Error) return this.#bury(message, null, envelope)
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
            'messaging.consumer.group.name': this.#name,
          },
        },
        () => this.#deps.inbox.applyOnce(this.#name, envelope, (context) => handler(context, envelope)),
      )
      if (result === 'applied') this.#deps.afterApply?.(envelope)
      return result
    } catch (error) {
      return this.#fail(message, envelope, error)
    }
  }

  async #fail(message: JsMsg, envelope: Envelope, error: unknown): Promise<Verdict> {
    if (isOutage(error) && !(await this.#isTooSlow(error))) {
      message.nak(this.#retry.outageMs)
      return 'retry'
    }
    const attempt = this.#faults.eventId === envelope.id ? this.#faults.count + 1 : 1
    this.#faults = { eventId: envelope.id, count: attempt }
    this.#deps.logger.error(
      { err: error, consumer: this.#name, eventId: envelope.id, attempt },
      'an event failed',
    )
    if (attempt >= MAX_TRIES) return this.#bury(message, envelope, error)
    message.nak(this.#retry.faultMs(attempt))
    return 'retry'
  }

  /** A statement that takes too long is the handler's fault if the store takes other writes meanwhile. */
  async #isTooSlow(error: unknown): Promise<boolean> {
    return isStatementTimeout(error) && (await this.#deps.inbox.isWritable())
  }

  async #bury(message: JsMsg, envelope: Envelope | null, error: unknown): Promise<Verdict> {
    const reason = error instanceof Error ? error.message : String(error)
    try {
      await this.#deps.inbox.bury(
        this.#name,
        message.subject,
        envelope?.id ?? null,
        envelope ?? message.string(),
        reason,
      )
      return 'buried'
    } catch {
      message.nak(this.#retry.outageMs)
      return 'retry'
    }
  }
}

const consumerName = (service: string, owner: Owner): string => `${service}--${owner}`

/** The envelope, checked against its schema; or what is wrong with it. Unknown types pass: a later version's. */
export function decode(message: Pick<JsMsg, 'string' | 'subject'>): Envelope | Error {
  try {
    const envelope: unknown = JSON.parse(message.string())
    if (!Check(EnvelopeShape, envelope)) return new Error('not an event envelope')
    const schema = EVENTS[envelope.type as EventType]
    if (schema !== undefined && !Check(schema, envelope.data))
      return new Error(`bad data for ${envelope.type}`)
    return envelope as Envelope
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** All of a service's consumers: one per owner it listens to. */
export class EventConsumers<Context> {
  readonly #consumers: OwnerConsumer<Context>[]
  readonly #deps: ConsumerDeps<Context>
  #pruner: NodeJS.Timeout | undefined

  constructor(deps: ConsumerDeps<Context>) {
    this.#deps = deps
    const types = Object.keys(deps.handlers) as EventType[]
    const byOwner = Map.groupBy(types, ownerOf)
    this.#consumers = [...byOwner].map(([owner, owned]) => new OwnerConsumer(deps, owner, owned))
  }

  start(): void {
    for (const consumer of this.#consumers) consumer.start()
    this.#pruner = setInterval(() => {
      this.#deps.inbox
        .prune()
        .catch((error: unknown) => this.#deps.logger.warn({ err: error }, 'inbox not pruned'))
    }, 3_600_000)
    this.#pruner.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#pruner)
    await Promise.all(this.#consumers.map((consumer) => consumer.stop()))
  }

  /** Resolves when all that is in the streams now has been taken. For tests. */
  async processAll(): Promise<void> {
    for (;;) {
      const idle = await Promise.all(this.#consumers.map((consumer) => consumer.isIdle().catch(() => false)))
      if (idle.every(Boolean)) return
      await pause(10, new AbortController().signal)
    }
  }

  /**
   * Runs a dead letter's event through its handler. `apply` runs the effect it is given if the letter was not replayed
   * before, and answers whether it did; by default the inbox decides. Throws when the event cannot be applied.
   */
  async replay(envelope: Envelope, apply?: ApplyLetter<Context>): Promise<void> {
    if (!Check(EnvelopeShape, envelope)) throw new Error('it is no event that could be read')
    const handler = this.#deps.handlers[envelope.type] as
      | ((context: Context, envelope: Envelope) => Promise<void>)
      | undefined
    if (handler === undefined) throw new Error(`nothing listens to ${envelope.type} any more`)
    const { inbox, service, afterApply } = this.#deps
    const effect = (context: Context): Promise<void> => handler(context, envelope)
    const isApplied =
      apply === undefined
        ? (await inbox.applyOnce(consumerName(service, ownerOf(envelope.type)), envelope, effect)) ===
          'applied'
        : await apply(effect)
    if (isApplied) afterApply?.(envelope)
  }
}
