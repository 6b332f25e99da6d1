import { durablesFor } from '@looptide/contracts/event-subscriptions'
import type { Envelope, EventType } from '@looptide/contracts/events'
import { pause } from '../time/pause.ts'
import { validateEnvelope } from './decode-envelope.ts'
import { type ConsumerDeps, inboxConsumerName, StreamConsumer } from './stream-consumer.ts'

/** Runs the effect of a dead letter's event unless it was replayed before. Returns whether it ran. */
export type ApplyDeadLetter<Context> = (effect: (context: Context) => Promise<void>) => Promise<boolean>

/** All consumers of a service: one per stream. */
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
   * The process's metrics with updated consumer lags. If NATS does not respond for a consumer, its last value is kept.
   */
  async metricsText(): Promise<string> {
    await Promise.allSettled(this.#consumers.map((consumer) => consumer.measure()))
    return this.#deps.metrics.registry.metrics()
  }

  /**
   * Resolves when all events in the streams have been handled. Looks twice, because JetStream counts a new event as pending
   * shortly after it has confirmed it. For tests.
   */
  async processAll(): Promise<void> {
    for (let idleLooks = 0; idleLooks < 2; ) {
      const idle = await Promise.all(this.#consumers.map((consumer) => consumer.isIdle().catch(() => false)))
      idleLooks = idle.every(Boolean) ? idleLooks + 1 : 0
      if (idleLooks < 2) await pause(10, new AbortController().signal)
    }
  }

  /**
   * Replays a dead letter's event. `apply` runs the given effect unless the letter was replayed before and returns whether
   * it ran; by default the inbox decides. Throws if the event cannot be applied.
   */
  async replay(envelope: Envelope, apply?: ApplyDeadLetter<Context>): Promise<void> {
    const fault = validateEnvelope(envelope)
    if (fault !== undefined) throw fault
    const handler = this.#deps.handlers[envelope.type] as
      | ((context: Context, envelope: Envelope) => Promise<void>)
      | undefined
    if (handler === undefined) throw new Error(`no handler for ${envelope.type}`)
    const { inbox, service, afterApply } = this.#deps
    const effect = (context: Context): Promise<void> => handler(context, envelope)
    const isApplied =
      apply === undefined
        ? (await inbox.applyOnce(inboxConsumerName(service, envelope.type), envelope, effect)) === 'applied'
        : await apply(effect)
    if (isApplied) afterApply?.(envelope)
  }
}
