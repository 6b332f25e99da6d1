import type { Logger } from '@looptide/service-kit/logger'
import type { Background, ServiceDeps } from '@looptide/service-kit/run-service'
import type { Database } from '../db/schema.ts'
import type { TimelineMemory } from './timeline-memory.ts'

/** What tells that a channel is another than it was. */
const SUBJECTS = ['stream.timeline.*.v1', 'stream.status.changed.v1', 'stream.channel.*.v1']

type NatsConnection = ServiceDeps<Database>['nats']

interface RefreshDeps {
  nats: NatsConnection
  memory: TimelineMemory
  logger: Logger
}

/**
 * Brings memory up to date when another replica has changed a channel, within milliseconds. Whoever misses an
 * event sees the change at the next look at the database.
 */
export class EventRefresh implements Background {
  readonly #deps: RefreshDeps
  readonly #changed = new Set<string>()
  #subscriptions: ReturnType<NatsConnection['subscribe']>[] = []
  #running: Promise<void> | undefined

  constructor(deps: RefreshDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#subscriptions = SUBJECTS.map((subject) =>
      this.#deps.nats.subscribe(subject, {
        callback: (error, message) => {
          if (error === null) this.#take(message.string())
        },
      }),
    )
  }

  async stop(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.unsubscribe()
    await this.#running
  }

  #take(text: string): void {
    try {
      const { aggregateId } = JSON.parse(text) as { aggregateId?: unknown }
      if (typeof aggregateId !== 'string') return
      this.#changed.add(aggregateId)
      this.#running ??= this.#refresh()
    } catch (error) {
      this.#deps.logger.warn({ err: error }, 'an event of ours could not be read')
    }
  }

  async #refresh(): Promise<void> {
    try {
      while (this.#changed.size > 0) {
        const ids = [...this.#changed]
        this.#changed.clear()
        await this.#deps.memory.refresh(ids)
      }
    } catch (error) {
      this.#deps.logger.debug({ err: error }, 'memory is refreshed later')
    } finally {
      this.#running = undefined
    }
  }
}
