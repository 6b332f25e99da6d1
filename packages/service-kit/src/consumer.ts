import { durablesFor } from '@looptide/contracts/event-subscriptions'
import type { Envelope, EventType } from '@looptide/contracts/events'
import { validateEnvelope } from './decode-envelope.ts'
import { pause } from './nats.ts'
import { type ConsumerDeps, inboxConsumerName, StreamConsumer } from './stream-consumer.ts'

export type { EventHandlers, RetryDelays } from './stream-consumer.ts'

/** Runs the effect of a dead letter's event unless it was run before; answers whether it ran. */
export type ApplyDeadLetter<Context> = (effect: (context: Context) => Promise<void>) => Promise<boolean>

/** All of a service's consumers: one per stream it reads. */
export class EventConsumers<Context> {
  readonly #consumers: StreamConsumer<Context>[]
  readonly #deps: ConsumerDeps<Context>
  #pruner: NodeJS.Timeout | undefined

  constructor(deps: ConsumerDeps<Context>) {
    this.#deps = deps
    const types = Object.keys(deps.handlers) as EventType[]
    this.#consumers = durablesFor(deps.service, types).map(({ stream }) => new StreamConsumer(deps, stream))
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

  /**
   * The process's metrics, after measuring how far each consumer is behind. A consumer that NATS does not answer for
   * keeps its last value.
   */
  async metricsText(): Promise<string> {
    await Promise.allSettled(this.#consumers.map((consumer) => consumer.measure()))
    return this.#deps.metrics.registry.metrics()
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
  async replay(envelope: Envelope, apply?: ApplyDeadLetter<Context>): Promise<void> {
    const fault = validateEnvelope(envelope)
    if (fault !== undefined) throw fault
    const handler = this.#deps.handlers[envelope.type] as
      | ((context: Context, envelope: Envelope) => Promise<void>)
      | undefined
    if (handler === undefined) throw new Error(`nothing listens to ${envelope.type} any more`)
    const { inbox, service, afterApply } = this.#deps
    const effect = (context: Context): Promise<void> => handler(context, envelope)
    const isApplied =
      apply === undefined
        ? (await inbox.applyOnce(inboxConsumerName(service, envelope.type), envelope, effect)) === 'applied'
        : await apply(effect)
    if (isApplied) afterApply?.(envelope)
  }
}
